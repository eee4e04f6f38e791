use crate::floe;

/// Every machine can give something else, but the parts have to agree.
#[test]
fn the_doctor_tells_what_this_machine_can_enforce() {
    let told = floe("doctor --json --require 0").output().unwrap();
    assert_eq!(told.status.code(), Some(0));
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let level = told["level"].as_u64().unwrap();
    let layers = told["layers"].as_array().unwrap();
    for layer in layers {
        let ok = layer["ok"].as_bool().unwrap();
        assert!(ok || layer["level"].as_u64().unwrap() > level || cfg!(not(target_os = "linux")));
        assert_eq!(ok, layer.get("why").is_none(), "{layer}");
        assert_eq!(ok, layer.get("fix").is_none(), "{layer}");
    }

    for required in 0..=3 {
        let run = floe(&format!("doctor --require {required}"))
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(i32::from(required > level)));
        let text = String::from_utf8(run.stdout).unwrap();
        for layer in layers {
            assert!(text.contains(layer["name"].as_str().unwrap()), "{text}");
        }
        assert!(text.contains(&format!("Programs run at level {level} of 3.")));
    }
    floe("doctor --require 4").assert().code(2);
}
