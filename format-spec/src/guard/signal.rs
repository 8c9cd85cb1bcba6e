//! The handler of SIGBUS: the one place of the guard that is unsafe.
//!
//! # Safety
//!
//! *What the handler does.* It reads atomics of a static table, sets one, and calls `mmap`. It takes no lock, allocates
//! nothing and can't panic. `mmap` is missing from POSIX's list of what a handler may call, whose worry is a handler that
//! interrupts the C library in the middle of its own work. On the systems served here it is a bare system call; and a fault
//! in a map of ours is raised by the load instruction that touches it, so what it interrupts is a reader of bundles (or a
//! copy that one asked for), never an allocation or a lock. The kernel reports a faulting address of its own (`write` from
//! a map) as EFAULT and raises nothing.
//!
//! *What it overwrites.* Zero pages are put only at addresses within a range of the table, from the page that faulted to the
//! end of its map. The range is that of a live [`Mmap`](memmap2::Mmap), which the faulting thread has borrowed: the map is
//! entered after it is made and before anyone reads from it, and it leaves before it is taken down, which needs it whole. So no
//! address of anything else is in the range, and `munmap` of the range later takes the zero pages with it. Nothing but reads
//! ever happens there, and the zero pages are read-only like what they replace.
//!
//! *Why to the end.* A file that lost a page lost all later ones, and each would fault in turn; at once, a map faults a few
//! times in its life and not once a page. What is replaced too soon (one unreadable sector) is lost to a map that is given
//! up anyway: its answers are dropped and the file is opened anew.
//!
//! *Who sees what.* The mark is set before the zeros appear. A thread that reads a zero reads it after the system call that
//! put it there, and so after the mark; it looks at the mark once its answer is made. Two threads that fault at once both
//! mark and both put zeros, to the same effect. While pages are exchanged the kernel holds other faults of these addresses
//! back.
//!
//! *Nesting.* SIGBUS is blocked while its handler runs, and the handler touches the stack and statics alone; it can't fault
//! in a map. It runs on the alternative stack where the thread has one, because the handler that it hands on to may be the
//! standard library's, which looks for overflown stacks.
//!
//! *errno* is what it was, before the interrupted code goes on.
//!
//! *Anybody else's SIGBUS*, raised elsewhere or sent by `kill`, goes to the handler that was there before; where there was
//! none, the system's own action is put back, and the fault that recurs on return meets that. A program that installs a handler
//! of its own after the first bundle was mapped has to hand on likewise.

use std::ffi::{c_int, c_void};
use std::mem;
use std::ptr;
use std::sync::OnceLock;

use super::TABLE;

/// What the handler needs to know, there before the handler is.
struct Before {
    page_bytes: usize,
    action: libc::sigaction,
}

static BEFORE: OnceLock<Option<Before>> = OnceLock::new();
static INSTALLED: OnceLock<bool> = OnceLock::new();

fn before() -> Option<&'static Before> {
    BEFORE.get()?.as_ref()
}

/// Installs the handler at the first call. Gives the size of a page in bytes, a power of two, or nothing where the system
/// refuses.
pub(super) fn handled() -> Option<usize> {
    let before = BEFORE.get_or_init(look).as_ref()?;
    INSTALLED.get_or_init(install).then_some(before.page_bytes)
}

#[allow(unsafe_code)]
fn look() -> Option<Before> {
    // SAFETY: `sysconf` reads nothing of ours.
    let page_bytes = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    // SAFETY: zeros are a valid `sigaction`: no flags, an empty mask, the default action.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action, the call only writes the present one to where the pointer shows.
    let failed = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut action) } != 0;
    (!failed && page_bytes.is_power_of_two()).then_some(Before { page_bytes, action })
}

#[allow(unsafe_code)]
fn install() -> bool {
    // SAFETY: as in `look`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = on_bus_error as *const () as libc::sighandler_t;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the mask is ours, and the handler has the signature that SA_SIGINFO asks for and keeps the module's promises.
    unsafe {
        libc::sigemptyset(&raw mut action.sa_mask) == 0
            && libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) == 0
    }
}

#[allow(unsafe_code)]
extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the place of errno is this thread's and always there; `info` comes from the system with SA_SIGINFO, and SIGBUS
    // that the system raised has an address in it. For the rest see the module.
    unsafe {
        let errno = errno();
        let saved = *errno;
        let sent = cfg!(any(target_os = "linux", target_os = "android")) && (*info).si_code <= 0;
        if sent || !put_zeros((*info).si_addr() as usize) {
            hand_on(signal, info, context);
        }
        *errno = saved;
    }
}

/// Replaces the rest of a map of ours by zeros, from the page of `address` on. False where the address is in none.
#[allow(unsafe_code)]
fn put_zeros(address: usize) -> bool {
    let (Some(before), Some((slot, end))) = (before(), TABLE.find(address)) else { return false };
    slot.mark();
    let page = address & !(before.page_bytes - 1);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
    // SAFETY: the pages from `page` to `end` belong to the map that faulted, see the module.
    let put = unsafe {
        libc::mmap(ptr::with_exposed_provenance_mut(page), end - page, libc::PROT_READ, flags, -1, 0)
    };
    put != libc::MAP_FAILED
}

/// Does what would have been done without us.
///
/// # Safety
///
/// The arguments must be those that a handler got.
#[allow(unsafe_code)]
unsafe fn hand_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(Before { action, .. }) = before() else { return };
    let handler = action.sa_sigaction;
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        // SAFETY: the action is the one that the system gave.
        unsafe { libc::sigaction(signal, action, ptr::null_mut()) };
    } else if action.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: with this flag, the number is the address of a function of this signature.
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
            unsafe { mem::transmute(handler) };
        handler(signal, info, context);
    } else {
        // SAFETY: without it, of this one.
        let handler: extern "C" fn(c_int) = unsafe { mem::transmute(handler) };
        handler(signal);
    }
}

/// Where this thread's errno lies.
#[allow(unsafe_code)]
fn errno() -> *mut c_int {
    // SAFETY: takes nothing, and gives a pointer that holds as long as the thread.
    unsafe {
        #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
        return libc::__error();
        #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
        return libc::__errno();
        #[cfg(not(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "android",
            target_os = "netbsd",
            target_os = "openbsd"
        )))]
        return libc::__errno_location();
    }
}
