//! The names of statuses.

/// Returns the key of a response, with the reason phrase in place of a status: `404` is `Not Found`, `401_2` another
/// `Unauthorized`.
pub fn without_status(key: &str) -> String {
    let digits = key.chars().take_while(char::is_ascii_digit).count();
    let (code, rest) = key.split_at(digits);
    let reason = code.parse().ok().and_then(http_reason);
    let reason = reason.filter(|_| !rest.contains(char::is_alphabetic));
    reason.map_or_else(|| key.to_owned(), |reason| format!("{reason}{rest}"))
}

/// Returns the reason phrase of a status, by the words of RFC 9110, section 15, and of the registry of IANA.
pub fn http_reason(code: u16) -> Option<&'static str> {
    REASONS.lines().flat_map(|line| line.split(", ")).find_map(|row| {
        let (listed, phrase) = row.split_once(' ')?;
        (listed.parse() == Ok(code)).then_some(phrase)
    })
}

/// The reason phrases of all registered statuses.
const REASONS: &str = "\
100 Continue, 101 Switching Protocols, 102 Processing, 103 Early Hints
200 OK, 201 Created, 202 Accepted, 203 Non Authoritative Information, 204 No Content, 205 Reset Content
206 Partial Content, 207 Multi-Status, 208 Already Reported, 226 IM Used
300 Multiple Choices, 301 Moved Permanently, 302 Found, 303 See Other, 304 Not Modified, 305 Use Proxy
307 Temporary Redirect, 308 Permanent Redirect
400 Bad Request, 401 Unauthorized, 402 Payment Required, 403 Forbidden, 404 Not Found, 405 Method Not Allowed
406 Not Acceptable, 407 Proxy Authentication Required, 408 Request Timeout, 409 Conflict, 410 Gone, 411 Length Required
412 Precondition Failed, 413 Content Too Large, 414 URI Too Long, 415 Unsupported Media Type, 416 Range Not Satisfiable
417 Expectation Failed, 418 I'm a teapot, 421 Misdirected Request, 422 Unprocessable Content, 423 Locked
424 Failed Dependency, 425 Too Early, 426 Upgrade Required, 428 Precondition Required, 429 Too Many Requests
431 Request Header Fields Too Large, 451 Unavailable For Legal Reasons
500 Internal Server Error, 501 Not Implemented, 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout
505 HTTP Version Not Supported, 506 Variant Also Negotiates, 507 Insufficient Storage, 508 Loop Detected
510 Not Extended, 511 Network Authentication Required";

#[cfg(test)]
mod tests {
    use super::without_status;

    #[test]
    fn a_key_that_is_a_status_is_its_reason() {
        let keys = ["404", "401_2", "404NotFound", "NotFound", "999", ""];
        let names = ["Not Found", "Unauthorized_2", "404NotFound", "NotFound", "999", ""];
        assert_eq!(keys.map(without_status), names);
    }
}
