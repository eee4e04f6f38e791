//! Reads a submission from a request.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use floe_arena::amount::shown_bytes;
use floe_league::Submission;
use futures_util::StreamExt;
use serde::Deserialize;

use crate::error::WebError;

/// Most bytes of a form besides the file.
const FORM: u64 = 256 << 10;
/// Bytes beyond the limit that are read and discarded, so that the sender sees the answer: most
/// clients read nothing before they have sent everything.
const THROWN: u64 = 256 << 20;

/// The query of a request whose body is the file.
#[derive(Deserialize)]
pub(crate) struct About {
    file: Option<String>,
    word: Option<String>,
    protocol: Option<String>,
    main: Option<String>,
}

/// A form's contents: a new submission, or the choice of the program in an earlier one.
pub(crate) enum Uploaded {
    /// A new submission.
    New(Submission),
    /// The author's choice of the program in an archive.
    Chosen {
        /// The archive.
        parcel: String,
        /// The program.
        main: String,
    },
}

/// The contents of a request, with a file of at most `most` bytes.
pub(crate) async fn read(request: Request, about: About, most: u64) -> Result<Uploaded, WebError> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_form = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"));
    let name = about.file.clone().unwrap_or_else(|| "the file".to_owned());
    let (parts, body) = request.into_parts();
    let bytes = whole(body, most, &name).await?;
    if is_form {
        return form(Request::from_parts(parts, Body::from(bytes))).await;
    }
    let Some(file) = about.file else {
        let help = "Give the file's name: …/submissions?file=bot.c";
        return Err(WebError::bad("The file has no name", help));
    };
    Ok(Uploaded::New(Submission {
        file,
        bytes: bytes.into(),
        word: about.word,
        protocol: about.protocol,
        main: about.main,
    }))
}

/// A body, if it is within the limit; a larger one is still read to its end.
async fn whole(body: Body, most: u64, name: &str) -> Result<Bytes, WebError> {
    let mut stream = body.into_data_stream();
    let (mut bytes, mut read) = (Vec::new(), 0);
    while let Some(part) = stream.next().await {
        let part = part.map_err(|_| WebError::bad("The file was cut off", "Send it again."))?;
        read += part.len() as u64;
        match read {
            read if read <= most + FORM => bytes.extend_from_slice(&part),
            read if read <= most + FORM + THROWN => bytes = Vec::new(),
            _ => break,
        }
    }
    if read <= most + FORM {
        return Ok(bytes.into());
    }
    let has = match read > most + FORM + THROWN {
        true => "more than is read here".to_owned(),
        false => shown_bytes(read),
    };
    let message = format!("{name} has {has}; {} is the most", shown_bytes(most));
    let help = "Leave out what the build does not need.";
    Err(WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message, help))
}

/// A file or pasted source, with the form's other fields.
async fn form(request: Request) -> Result<Uploaded, WebError> {
    let bad = |error: axum::extract::multipart::MultipartError| {
        WebError::new(error.status(), error.body_text(), "Send it again.")
    };
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|error| WebError::bad(error.body_text(), ""))?;
    let mut submission = Submission::default();
    let (mut pasted, mut name, mut parcel) = (String::new(), String::new(), String::new());
    while let Some(part) = parts.next_field().await.map_err(bad)? {
        let field = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(str::to_owned);
        let bytes = part.bytes().await.map_err(bad)?;
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        match field.as_str() {
            "file" if !bytes.is_empty() || file.as_ref().is_some_and(|file| !file.is_empty()) => {
                submission.file = file.unwrap_or_default();
                submission.bytes = bytes.into();
            }
            "source" => pasted = text(),
            "name" => name = text().trim().to_owned(),
            "word" => submission.word = Some(text()),
            "protocol" => submission.protocol = Some(text()),
            "main" => submission.main = Some(text()),
            "parcel" => parcel = text(),
            _ => {}
        }
    }
    if !parcel.is_empty() {
        let main = submission.main.unwrap_or_default();
        return Ok(Uploaded::Chosen { parcel, main });
    }
    if submission.file.is_empty() {
        if pasted.trim().is_empty() {
            let help = "Choose a file, or paste source and name its file.";
            return Err(WebError::bad("There is nothing to send", help));
        }
        submission.file = name;
        // Browsers send both ends of a line.
        submission.bytes = pasted.replace("\r\n", "\n").into_bytes();
    }
    Ok(Uploaded::New(submission))
}
