//! The help of the program.

/// The help of the program.
pub const HELP: &str = "\
A fake tenant of the Access Governance API on 127.0.0.1

Usage: tenant [--drift] [PORT]

Without a port, a free one is used. The URL is printed, and each request. All operations need a bearer token; any
token will do. The token endpoint is POST /oauth/token.

The query parameter `fault`, or the header `x-fault`, makes a request fail:
  300 to 599  this status
  html        status 200 with a login page
  garbage     status 200 with half of a JSON object
  hangup      the connection is closed

With `--drift`, responses differ from the spec, as those of a newer server do.

docs/tenant.md describes the objects.
";

#[cfg(test)]
mod tests {
    use super::HELP;
    use crate::tenant;

    #[test]
    fn the_page_describes_all_operations_and_faults() {
        let page = include_str!("../../../docs/tenant.md");
        for operation in tenant::lines() {
            assert!(page.contains(&format!("`{operation}`")), "{operation}");
        }
        for fault in ["html", "garbage", "hangup"] {
            assert!(page.contains(&format!("| `{fault}` |")) && HELP.contains(fault), "{fault}");
        }
    }
}
