//! Checks of a crate with some of its features.

use ::codegen::items::features::OPERATIONS;

use crate::corpus::emitted::EmittedCrate;

/// Checks the crate without features, with the client of each of its resources alone, and without a warning with that of
/// `count` of them, evenly chosen, each alone and in pairs. Returns the first set that fails.
pub fn failing(all: &[String], count: usize, emitted: &EmittedCrate) -> Option<String> {
    let client = |set: &String| format!("client,{set}");
    let models = [String::new(), OPERATIONS.to_owned()];
    let alone = models.into_iter().chain(all.iter().map(client));
    let sets = sets(all, count);
    let mut clean = sets.iter().map(client);
    alone
        .into_iter()
        .find(|set| !emitted.passes("check", set))
        .or_else(|| clean.find(|set| !emitted.passes("clippy", set)))
}

/// Returns `count` of the features, evenly chosen, each alone and in pairs.
fn sets(all: &[String], count: usize) -> Vec<String> {
    let count = count.min(all.len());
    let chosen: Vec<_> = (0..count).map(|index| &all[index * all.len() / count]).collect();
    let pairs = chosen.iter().enumerate().flat_map(|(index, one)| {
        chosen[index + 1..].iter().map(move |other| format!("{one},{other}"))
    });
    chosen.iter().map(|one| (*one).clone()).chain(pairs).collect()
}

#[cfg(test)]
mod tests {
    use super::sets;

    #[test]
    fn features_are_chosen_evenly_and_combined() {
        let all = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(sets(&all, 3), ["a", "b", "d", "a,b", "a,d", "b,d"]);
        assert_eq!(sets(&all[..2], 3), ["a", "b", "a,b"]);
        assert_eq!(sets(&[], 3), [""; 0]);
    }
}
