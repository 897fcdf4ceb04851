//! What the kernel keeps from a process of the sandbox: more memory, time and disk than it may have, files that are not its own, the
//! network, other programs and other processes.
//!
//! Files by Landlock (Linux 5.13; shortening files 6.2, signals to others 6.12), the rest by seccomp. A kernel that has less enforces
//! what it has; [`lacking`] says so where somebody reads it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rlimit::{Resource, setrlimit};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, apply_filter_all_threads,
};

use super::Limits;

/// What is forbidden is what kernels up to this one know of.
const KNOWN: ABI = ABI::V7;

/// The files that a process needs.
#[derive(Debug, Default)]
pub struct Reach {
    pub read: Vec<File>,
    /// Files that it writes, made before, or folders in which it does.
    pub write: Vec<PathBuf>,
}

/// Opens files that a process reads, and has their paths lead to what is open.
///
/// Landlock's rules are about files, not about their names: whoever keeps the same bytes once more meanwhile puts another file in the
/// place of this one. One that is missing is left, and is missing to whoever reads it.
pub fn hold<'a>(paths: impl IntoIterator<Item = &'a mut PathBuf>) -> io::Result<Vec<File>> {
    // a book may show thousands
    rlimit::increase_nofile_limit(rlimit::INFINITY)?;
    let mut held = Vec::new();
    for path in paths {
        match File::open(&*path) {
            Ok(file) => {
                *path = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
                held.push(file);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(held)
}

/// Keeps the process to its limits and its files from here on. Called before it has threads.
///
/// # Errors
/// Of the kernel; and where a file that is to be written can't be made.
pub fn confine(limits: Limits, reach: Reach) -> io::Result<()> {
    let Limits { memory, seconds, file } = limits;
    setrlimit(Resource::CORE, 0, 0)?;
    setrlimit(Resource::AS, memory, memory)?;
    setrlimit(Resource::CPU, seconds, seconds)?;
    setrlimit(Resource::FSIZE, file, file)?;
    for path in reach.write.iter().filter(|path| !path.is_dir()) {
        File::create(path)?;
    }
    let (has_landlock, has_seccomp) = (has_landlock(), has_seccomp());
    if has_landlock {
        keep_to_files(&reach).map_err(io::Error::other)?;
    }
    if let Some(here) = TargetArch::try_from(std::env::consts::ARCH).ok().filter(|_| has_seccomp) {
        let forbidden = forbidden().map_err(io::Error::other)?;
        for (calls, error) in [(forbidden, libc::EPERM), (unknown(), libc::ENOSYS)] {
            refuse(calls, error, here).map_err(io::Error::other)?;
        }
    }
    // their paths lead to what is open for as long as the process lives
    std::mem::forget(reach.read);
    Ok(())
}

/// Nothing but these files, no connections, no signals to others.
fn keep_to_files(reach: &Reach) -> Result<(), RulesetError> {
    let write = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::MakeReg | AccessFs::RemoveFile;
    Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .add_rules(
            reach.read.iter().map(|file| Ok::<_, RulesetError>(PathBeneath::new(file, AccessFs::ReadFile))),
        )?
        .add_rules(path_beneath_rules(&reach.write, write))?
        .restrict_self()?;
    Ok(())
}

type Calls = BTreeMap<i64, Vec<SeccompRule>>;

fn refuse(calls: Calls, error: i32, here: TargetArch) -> Result<(), seccompiler::Error> {
    let refusal = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, refusal, here)?;
    let program: BpfProgram = filter.try_into().map_err(seccompiler::Error::Backend)?;
    // what the program runs in may forbid the newer way, which reaches the allocator's thread, too
    apply_filter_all_threads(&program).or_else(|_| apply_filter(&program))
}

/// What reading, drawing and printing never need, and whoever broke in would.
fn forbidden() -> Result<Calls, BackendError> {
    let mut calls: Calls = [
        // the network, and whatever listens on this machine
        libc::SYS_socket,
        libc::SYS_socketpair,
        // other programs
        libc::SYS_execve,
        libc::SYS_execveat,
        // other processes
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        // the machine
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_open_by_handle_at,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        // owners and rights of files, which Landlock leaves alone
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_setxattr,
    ]
    .map(|call| (call, Vec::new()))
    .into();
    #[cfg(target_arch = "x86_64")]
    calls.extend(
        [libc::SYS_fork, libc::SYS_vfork, libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown]
            .map(|call| (call, Vec::new())),
    );
    // a thread is its own, a process is another; limits of its own may be read
    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    for (call, first) in
        [(libc::SYS_clone, SeccompCmpOp::MaskedEq(thread)), (libc::SYS_prlimit64, SeccompCmpOp::Ne)]
    {
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, first, 0)?;
        calls.insert(call, vec![SeccompRule::new(vec![condition])?]);
    }
    Ok(calls)
}

/// Whose arguments a filter can't see: told that the kernel doesn't have it, the C library makes threads the other way.
fn unknown() -> Calls {
    [(libc::SYS_clone3, Vec::new())].into()
}

/// What this machine's kernel can't keep from the sandbox, for whoever looks after the machine.
pub fn lacking() -> Option<&'static str> {
    if !has_landlock() {
        return Some(
            "without Landlock (Linux 5.13, allowed by whatever the program runs in) it could read other files",
        );
    }
    (!has_seccomp()).then_some("without seccomp it could reach the network")
}

/// A container may have a kernel that has it and forbid it.
fn has_landlock() -> bool {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create);
    ruleset.is_ok()
}

fn has_seccomp() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.contains("Seccomp_filters:") && TargetArch::try_from(std::env::consts::ARCH).is_ok()
}

#[cfg(test)]
mod tests;
