use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole_or_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write(&path, b"one").unwrap();
    write(&path, b"two").unwrap();
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), vec!["a".to_owned()]));
    let error = write(&folder.path().join("none/a"), b"").unwrap_err();
    assert_eq!(error.to_string(), "its folder does not exist");
    assert_eq!(write(folder.path(), b"").unwrap_err().kind(), io::ErrorKind::IsADirectory);
    try_out(&path).unwrap();
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), vec!["a".to_owned()]));
}

#[cfg(unix)]
#[test]
fn links_stay_and_lead_to_the_new_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    symlink("sub/second", at("first")).unwrap();
    symlink("../file", at("sub/second")).unwrap();
    // The first time there is nothing behind the links.
    for text in ["one", "two"] {
        write(&at("first"), text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(at("file")).unwrap(), text);
        assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("sub/second")).unwrap().is_symlink());
        fs::set_permissions(at("file"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    write(&at("first"), b"three").unwrap();
    assert_eq!(fs::metadata(at("file")).unwrap().permissions().mode() & 0o777, 0o640);
    symlink("circle", at("circle")).unwrap();
    assert!(write(&at("circle"), b"").is_err());
    assert_eq!(names(folder.path()), ["circle", "file", "first", "sub"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_is_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str| fs::write(folder.path().join(name), "half").unwrap();
    // Numbers past the largest that Linux gives to processes.
    put(".macchiato-4194999-0.tmp");
    put(".macchiato-4194998-17.tmp");
    let kept = [
        ".macchiato-1-0.tmp".to_owned(),
        format!(".macchiato-{}-0.tmp", std::process::id()),
        ".macchiato-4194999-x.tmp".to_owned(),
        ".macchiato-4194999.tmp".to_owned(),
        "macchiato-4194999-0.tmp".to_owned(),
    ];
    for name in &kept {
        put(name);
    }
    // Its process is unknown here, and yet somebody holds it.
    put(".macchiato-4194997-0.tmp");
    let held = File::open(folder.path().join(".macchiato-4194997-0.tmp")).unwrap();
    held.lock().unwrap();
    write(&folder.path().join("a"), b"").unwrap();
    let mut expected = [kept.as_slice(), &["a".to_owned(), ".macchiato-4194997-0.tmp".to_owned()]].concat();
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    drop(held);
    write(&folder.path().join("a"), b"").unwrap();
    assert!(!names(folder.path()).contains(&".macchiato-4194997-0.tmp".to_owned()));
}
