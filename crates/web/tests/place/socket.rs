//! Clients who do not keep to the manners of HTTP, on a real socket.

use std::net::SocketAddr;

use floe_web::{App, Settings};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A place on a socket, in a folder of its own.
async fn served() -> (TempDir, SocketAddr) {
    let folder = TempDir::new().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.engines = 1;
    let (app, _) = App::open(&settings).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(floe_web::serve(listener, app, std::future::pending()));
    (folder, address)
}

/// What comes back until the server closes the connection.
async fn all(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is cut off has said what it had to say.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn ask(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    all(stream).await
}

/// Whether everybody else is answered.
async fn is_well(address: SocketAddr) -> bool {
    let text = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    ask(address, text).await.starts_with("HTTP/1.1 200")
}

#[tokio::test]
async fn bodies_that_lie_about_their_length_harm_nobody() {
    let (_folder, address) = served().await;
    let post =
        "POST /api/v1/positions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    // Shorter than it says: the client leaves in the middle.
    let mut stream = TcpStream::connect(address).await.unwrap();
    let text = format!("{post}content-length: 1000\r\n\r\n{{}}");
    stream.write_all(text.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    assert!(!all(stream).await.contains("HTTP/1.1 5"));
    for wrong in [
        // Longer than it says: what is left is no request.
        format!("{post}content-length: 2\r\n\r\n{{}}{{}}{{}} and more\r\n\r\n"),
        format!("{post}content-length: -1\r\n\r\n{{}}"),
        format!("{post}content-length: 99999999999999999999999\r\n\r\n{{}}"),
        format!("{post}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
        format!("{post}content-length: 300000000\r\nconnection: close\r\n\r\n"),
        format!("{post}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{{}}"),
        format!("{post}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}"),
        format!(
            "GET / HTTP/1.1\r\nhost: localhost\r\n{}\r\n",
            "x: y\r\n".repeat(2000)
        ),
        format!(
            "GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n",
            "a".repeat(200_000)
        ),
        "\u{0}\u{1}\u{2}\r\n\r\n".to_owned(),
    ] {
        let answer = ask(address, &wrong).await;
        assert!(!answer.contains("HTTP/1.1 5"), "{answer}");
        assert!(is_well(address).await);
    }
}

#[tokio::test]
async fn a_thousand_connections_and_slow_writers_leave_room_for_others() {
    let (_folder, address) = served().await;
    let mut idle = Vec::new();
    for number in 0..1000 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nhost").await.unwrap();
        }
        idle.push(stream);
    }
    assert!(is_well(address).await);
    // Whoever does not come to an end with the headers is let go.
    let first = idle.swap_remove(0);
    let answer = all(first).await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
        "{answer}"
    );
    assert!(is_well(address).await);
}

#[tokio::test]
async fn a_reader_who_does_not_read_holds_up_no_other() {
    let (_folder, address) = served().await;
    let cookie = format!("cookie: floe={}", "0123456789abcdef".repeat(2));
    let form = "opponent=here&clock=none&size=9x9";
    let begun = ask(
        address,
        &format!(
            "POST /play/gamma HTTP/1.1\r\nhost: localhost\r\n{cookie}\r\nconnection: close\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        ),
    )
    .await;
    let id = begun.split("/game/").nth(1).unwrap()[..16].to_owned();
    let watch = format!("GET /live?game={id} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let mut slow = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(watch.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    let mut quick = TcpStream::connect(address).await.unwrap();
    quick.write_all(watch.as_bytes()).await.unwrap();
    let mut seen = String::new();
    let mut part = vec![0; 65536];
    let moves = ["a1", "i9", "a2", "i8", "a3", "i7", "a4", "i6", "a5", "i5"];
    for (ply, mv) in moves.iter().enumerate() {
        let body = format!("{{\"ply\":{ply},\"move\":\"{mv}\"}}");
        let answer = ask(
            address,
            &format!(
                "POST /api/v1/games/{id}/move HTTP/1.1\r\nhost: localhost\r\n{cookie}\r\nconnection: close\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            ),
        )
        .await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let wanted = format!("\"version\":{},", ply + 1);
        while !seen.contains(&wanted) {
            let count = quick.read(&mut part).await.unwrap();
            assert!(count > 0);
            seen += &String::from_utf8_lossy(&part[..count]);
        }
    }
}
