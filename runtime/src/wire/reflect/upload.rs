//! Uploads as properties of forms.

use crate::upload::Upload;
use crate::upload::source::BodyPart;
use crate::wire::reflect::wire::{Target, View, Wire};

impl Wire for Upload {
    /// JSON has it as text.
    fn target(&mut self) -> Target<'_> {
        *self = Self::from(String::new());
        match &mut self.source {
            BodyPart::Text(text) => Target::String(text),
            _ => Target::Object,
        }
    }

    fn view(&self) -> View<'_> {
        View::Upload(self)
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

crate::__serde!(Upload);
