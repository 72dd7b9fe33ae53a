//! Calls with other arguments.

use ::codegen::items::{Argument, MemberKind, Path, PublicApi, Signature, Wire};

/// A call with other arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The number of the old arguments.
    pub count: usize,
    /// The new arguments: the index of the old one, or the setter of the old result that took its value.
    pub arguments: Vec<Result<usize, Option<String>>>,
    /// The old arguments that have become setters of the result.
    pub setters: Vec<(usize, String)>,
}

impl Call {
    /// Returns the new call of a method or an associated function.
    pub fn of(sides: [(&PublicApi, &Path); 2], kind: MemberKind) -> Option<Self> {
        let [before, after] = sides.map(|(api, path)| {
            let (owner, name) = path.split()?;
            let owner = Path::new(owner);
            let method = api.member(&owner, kind, name)?.method()?.signature.clone();
            Some((api, owner, method))
        });
        let (before, after) = (before?, after?);
        let setter = |(api, owner, call): &(&PublicApi, Path, Signature), argument: &Argument| {
            let result = call.output.as_item().unwrap_or(owner);
            let method = api.member(result, MemberKind::Method, &argument.name)?.method()?;
            let is_same = is_same_place(argument.wire.as_ref(), method.wire.as_ref());
            is_same.then(|| argument.name.clone())
        };
        let [old, new] = [&before.2, &after.2];
        let index =
            |of: &Argument, list: &[Argument]| list.iter().position(|it| it.name == of.name);
        let lost = (0..).zip(&old.arguments).filter(|(_, it)| index(it, &new.arguments).is_none());
        let setters: Option<Vec<_>> =
            lost.map(|(index, argument)| Some((index, setter(&after, argument)?))).collect();
        let arguments = new.arguments.iter();
        let arguments =
            arguments.map(|it| index(it, &old.arguments).ok_or_else(|| setter(&before, it)));
        Some(Self { count: old.arguments.len(), arguments: arguments.collect(), setters: setters? })
    }
}

/// Returns whether a value is sent to the same place.
fn is_same_place(old: Option<&Wire>, new: Option<&Wire>) -> bool {
    let name = |wire: Option<&Wire>| wire.and_then(Wire::name).map(str::to_owned);
    let location = |wire: Option<&Wire>| match wire {
        Some(Wire::Parameter { location, .. }) => Some(*location),
        _ => None,
    };
    name(old) == name(new) && location(old) == location(new)
}
