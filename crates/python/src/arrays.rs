//! The caller's arrays, checked at every write: their type, shape and layout can change between two
//! calls.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// An array to write to.
pub(crate) struct Target {
    /// The array's content, for messages.
    name: &'static str,
    array: Py<PyAny>,
    shape: Vec<usize>,
}

impl Target {
    /// The array, if it is one of this type and shape that can be written to.
    pub(crate) fn new<T: Element>(
        name: &'static str,
        array: &Bound<'_, PyAny>,
        shape: &[usize],
    ) -> PyResult<Self> {
        let target = Target {
            name,
            array: array.clone().unbind(),
            shape: shape.to_vec(),
        };
        target.borrow::<T>(array.py())?;
        Ok(target)
    }

    /// The array, borrowed for writing.
    pub(crate) fn borrow<'py, T: Element>(
        &self,
        py: Python<'py>,
    ) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
        let name = self.name;
        let array = self.array.bind(py);
        let typed = array.cast::<PyArrayDyn<T>>().map_err(|_| {
            PyTypeError::new_err(format!(
                "{name} is no numpy array of {} with the shape {:?}",
                numpy::dtype::<T>(py),
                self.shape
            ))
        })?;
        if typed.shape() != self.shape {
            return Err(PyValueError::new_err(format!(
                "{name} has the shape {:?}, and {:?} is needed",
                typed.shape(),
                self.shape
            )));
        }
        if !typed.is_c_contiguous() {
            return Err(PyValueError::new_err(format!(
                "{name} is not contiguous in C order; np.ascontiguousarray makes it so"
            )));
        }
        typed.try_readwrite().map_err(|_| {
            PyValueError::new_err(format!(
                "{name} cannot be written to: it is read-only, or shares its memory with another array"
            ))
        })
    }

    pub(crate) fn array(&self, py: Python<'_>) -> Py<PyAny> {
        self.array.clone_ref(py)
    }
}
