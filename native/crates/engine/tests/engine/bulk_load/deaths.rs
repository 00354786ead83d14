//! A process or a machine that dies, or a file system that fails, at any step of a load.

use super::*;

/// The region with all of the load.
const LOADED: [&str; 6] =
    ["b/f@5=load", "b/g@5=load", "c/f@5=before", "c/g@5=before", "d/f@5=load", "d/g@5=load"];

/// The logs of dead servers, for the region.
fn recover_logs(env: &FakeEnv, generation: u32) {
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for server in 1..generation {
        let dir = format!("/h/WALs/s{server}");
        for segment in listed(env, &dir) {
            let request = json!({"wal": format!("{dir}/{segment}"), "rootDir": "/h"}).to_string();
            engine.split_wal(&request).unwrap();
            env.rename(&Path::new(&dir).join(&segment), &Path::new("/h/oldWALs").join(&segment)).unwrap();
        }
    }
}

/// A load, where and how it is ordered, and what becomes of its server.
#[derive(Clone, Copy, Debug)]
struct Death<'m> {
    kind: FakeKind,
    mounts: &'m Mounts,
    /// Steps of the load after which the server dies.
    steps: u64,
    copy: bool,
    /// The machine dies with the server.
    machine: bool,
}

/// What a load has left when its server is dead.
struct Remains {
    env: FakeEnv,
    files: [Ordered; 2],
    acknowledged: bool,
}

impl Death<'_> {
    /// One load by a server that dies. True when the load ended before that.
    fn load_and_die(&self) -> bool {
        let env = FakeEnv::of(self.kind, self.steps);
        env.set_mounts(self.mounts.clone());
        let life = Life::of_steps(u64::MAX);
        let mortal: Arc<dyn Env> = Arc::new(Mortal::new(&env, &life));
        let (engine, region) = serve(mortal, 1).unwrap();
        put_both(&engine, &region, "b", "before");
        put_both(&engine, &region, "c", "before");
        let (f, g) = rows("load");
        let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
        // What a job does not sync it may lose with the machine, whichever server loads it.
        files.iter().for_each(|file| env.sync_file(&file.path()).unwrap());
        life.end_in(self.steps);
        let outcome = order(&region, &[&files[0], &files[1]], self.copy);
        let ended = !life.is_over();
        assert!(!ended || outcome.is_ok(), "{outcome:?}");
        life.end();
        drop(engine);
        drop(region);
        if self.machine {
            env.crash_machine()
        } else {
            env.crash_process()
        }
        self.check(&Remains { env, files, acknowledged: outcome.is_ok() });
        ended
    }

    /// The next server finds all of the load or nothing, and loads what the client asks for again.
    fn check(&self, remains: &Remains) {
        recover_logs(&remains.env, 2);
        let (engine, region) = serve(Arc::new(remains.env.clone()), 2).unwrap();
        let is_loaded = self.check_found(remains, &region);
        assert!(!has_load(&remains.env), "{self:?}");
        self.load_again(remains, &engine, &region, is_loaded);
        region.close(false).unwrap();
    }

    /// True when all of the load is there.
    fn check_found(&self, remains: &Remains, region: &Arc<Region>) -> bool {
        let Remains { env, files, acknowledged } = remains;
        let found = values(&common::scan_all(region, &Spec::scan()));
        let there = files.iter().map(|file| env.exists(&file.path()).unwrap()).collect::<Vec<_>>();
        if found == LOADED {
            assert_eq!(there, [self.copy, self.copy], "{self:?}");
            return true;
        }
        let before = ["b/f@5=before", "b/g@5=before", "c/f@5=before", "c/g@5=before"];
        assert_eq!(found, before, "{self:?}: all or nothing");
        assert!(!acknowledged, "{self:?}: an acknowledged load is lost");
        assert_eq!(there, [true, true], "{self:?}: the files are back");
        let (f, g) = rows("load");
        for (file, cells) in files.iter().zip([&f, &g]) {
            let whole = env.read(&file.path()).unwrap() == file_of(file.family, cells);
            assert!(whole, "{self:?}: the bytes of {} are back", file.path().display());
        }
        false
    }

    /// The client asks again; a later put counts, whatever happened.
    fn load_again(&self, remains: &Remains, engine: &Engine, region: &Arc<Region>, is_loaded: bool) {
        let Remains { env, files, .. } = remains;
        put_both(engine, region, "c", "after");
        let again = order(region, &[&files[0], &files[1]], self.copy).unwrap();
        assert_eq!(again["files"].as_array().unwrap().is_empty(), is_loaded, "{self:?}");
        let mut expected = LOADED.map(str::to_string);
        expected[2] = "c/f@5=after".to_string();
        expected[3] = "c/g@5=after".to_string();
        assert_eq!(values(&common::scan_all(region, &Spec::scan())), expected, "{self:?}");
        let left = env.files().iter().filter(|file| file.starts_with(OUT)).count();
        assert_eq!(left, if self.copy { 2 } else { 0 }, "{self:?}: {:?}", env.files());
    }
}

#[test]
fn a_death_at_any_step_leaves_all_of_a_load_or_nothing() {
    let nfs = Mounts { renames_by_links: true, ..Mounts::default() };
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let both = Mounts { renames_by_links: true, ..devices.clone() };
    let places = [Mounts::default(), devices, nfs, both];
    for (kind, mounts) in FakeKind::ALL.iter().flat_map(|kind| places.iter().map(move |m| (*kind, m))) {
        for (copy, machine) in [(false, false), (false, true), (true, false), (true, true)] {
            let ended =
                (1..400).find(|steps| Death { kind, mounts, steps: *steps, copy, machine }.load_and_die());
            assert!(ended.is_some_and(|steps| steps > 20), "{kind:?}: a load ends, and has steps: {ended:?}");
        }
    }
}

#[test]
fn an_error_of_the_file_system_leaves_the_files_where_they_were() {
    for renames in 0..3 {
        let env = FakeEnv::new(1);
        let f = start_in(Arc::new(env.clone()), "{}", &[("f", ""), ("g", "")], 1);
        let (cells_f, cells_g) = rows("load");
        let files = [written(&env, "f", 1, &cells_f), written(&env, "g", 2, &cells_g)];
        env.set_faults(Faults { fail_rename_in: Some(renames), ..Faults::default() });
        order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "rename {renames}");
        assert_eq!(everything(&f), [""; 0]);
        order(&f.region, &[&files[0], &files[1]], false).unwrap();
        assert_eq!(everything(&f).len(), 4);
    }
}
