//! Uploads as properties of forms.

use crate::wire::reflect::wire::{OpenEnum, Target, View, Wire};
use crate::wire::upload::Upload;

/// JSON has it as any text.
impl OpenEnum for Upload {
    fn read(&mut self, text: &str) -> bool {
        *self = Self::from(text);
        true
    }
}

impl Wire for Upload {
    fn target(&mut self) -> Target<'_> {
        Target::Enum(self)
    }

    fn view(&self) -> View<'_> {
        View::Upload(self)
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

crate::__serde!(Upload);
