//! Which addresses are out in the world, and which are this machine's, the host's own network or nobody's: a program that is
//! told by somebody where to ask must not ask those.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one that anybody reaches over the internet (IANA's registries of special addresses, RFC 6890). Whoever
/// hides an IPv4 address in an IPv6 one is looked through.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        // this network, private, loopback (RFC 1122, RFC 1918)
        (0 | 10 | 127, _, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            // shared by providers (RFC 6598), link-local, where clouds keep their keys (RFC 3927)
            | (100, 64..=127, _)
            | (169, 254, _)
            // protocols, documentation, 6to4's relays, tests of benchmarks
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            // multicast, reserved, broadcast
            | (224..=255, _, _)
    );
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let [a, b, c, d, ..] = parts;
    let last = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    let [.., y, z] = parts;
    match parts {
        // mapped (RFC 4291), translated (RFC 6052)
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => is_public_v4(last(y, z)),
        // 6to4 (RFC 3056)
        [0x2002, ..] => is_public_v4(last(b, c)),
        // global unicast alone (RFC 4291); in it protocols and Teredo (RFC 2928), documentation (RFC 3849, RFC 9637)
        _ => {
            (0x2000..0x4000).contains(&a)
                && !(a == 0x2001 && b < 0x200)
                && !(a == 0x2001 && b == 0xdb8)
                && !(a == 0x3fff && b < 0x1000)
                && (a, b, c, d) != (0x2620, 0x4f, 0x8000, 0)
        }
    }
}
