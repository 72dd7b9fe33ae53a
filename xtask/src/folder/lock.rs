//! Keeps two runs that write beside each other apart.

use std::fs::File;
use std::path::Path;

use crate::exit::Failure;

/// A lock on the folder that holds an emitted crate; it ends with the process at the latest, however that ends.
#[derive(Debug)]
pub struct Lock {
    _held: Option<File>,
}

impl Lock {
    /// Waits until nobody else writes in `parent`; calls `on_wait` where somebody does.
    ///
    /// A file system without locks (some network ones) lets everybody in.
    pub fn acquire(parent: &Path, on_wait: impl FnOnce()) -> Result<Self, Failure> {
        system::acquire(parent, on_wait).map(|held| Self { _held: held })
    }
}

/// On Unix the folder itself is locked, so that no lock file stays behind.
#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::path::Path;

    use rustix::fs::{FlockOperation, flock};
    use rustix::io::{Errno, retry_on_intr};

    use crate::exit::{Doing, Failure};

    pub(super) fn acquire(parent: &Path, on_wait: impl FnOnce()) -> Result<Option<File>, Failure> {
        let folder = File::open(parent).doing("lock", parent)?;
        let locked = match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {
                on_wait();
                retry_on_intr(|| flock(&folder, FlockOperation::LockExclusive))
            }
            result => result,
        };
        Ok(locked.is_ok().then_some(folder))
    }
}

/// Elsewhere runs are not kept apart: each still puts a whole crate in place.
#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::path::Path;

    use crate::exit::Failure;

    pub(super) fn acquire(_: &Path, _: impl FnOnce()) -> Result<Option<File>, Failure> {
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn the_second_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::acquire(folder.path(), || panic!("nobody else is here")).unwrap();
        let (said, heard) = mpsc::channel();
        thread::scope(|scope| {
            let said_by_second = said.clone();
            scope.spawn(move || {
                let second =
                    Lock::acquire(folder.path(), || said_by_second.send("waits").unwrap()).unwrap();
                said_by_second.send("is in").unwrap();
                drop(second);
            });
            assert_eq!(heard.recv(), Ok("waits"));
            said.send("first leaves").unwrap();
            drop(first);
            assert_eq!(heard.recv(), Ok("first leaves"));
            assert_eq!(heard.recv(), Ok("is in"));
        });
    }
}
