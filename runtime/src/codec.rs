//! The seam to the wire format: how bodies are written and read.

pub(crate) use self::stand_in::{Wire, decode, encode};

mod stand_in {
    use std::fmt;

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    pub trait Wire {
        fn write(&self) -> Vec<u8>;
        fn read(body: &[u8]) -> Result<Self, DecodeError>
        where
            Self: Sized;
    }

    impl<T: Serialize + DeserializeOwned> Wire for T {
        fn write(&self) -> Vec<u8> {
            serde_json::to_vec(self).unwrap_or_default()
        }
        fn read(body: &[u8]) -> Result<Self, DecodeError> {
            serde_json::from_slice(body).map_err(|error| DecodeError(error.to_string()))
        }
    }

    #[derive(Debug)]
    pub struct DecodeError(String);
    impl fmt::Display for DecodeError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }
    impl std::error::Error for DecodeError {}

    pub fn decode<T: Wire + Default>(body: &[u8]) -> Result<T, DecodeError> {
        T::read(body)
    }
    pub fn encode(value: &dyn Wire) -> Vec<u8> {
        value.write()
    }
}
