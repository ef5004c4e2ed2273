import { BlockList, isIP, isIPv6 } from 'node:net'

// The special-purpose registries of IANA for IPv4 and IPv6. No public web server has these addresses.
const SPECIAL = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  addRange(SPECIAL, range)
}
// Addresses in public ranges that only a cloud's own machines reach. Other clouds use link-local or private ones.
for (const range of [
  // Azure's WireServer serves keys and certificates of the machine (Microsoft: "What is IP address 168.63.129.16?").
  '168.63.129.16/32',
  // IBM Cloud's service network and private endpoints (IBM: "IBM Cloud IP ranges").
  '161.26.0.0/16',
  '166.8.0.0/14',
  // private.googleapis.com and restricted.googleapis.com (Google: "Configure Private Google Access").
  '199.36.153.4/30',
  '199.36.153.8/30',
]) {
  addRange(SPECIAL, range)
}
// IANA assigns only 2000::/3 of IPv6. The ranges below are special or carry an IPv4 address.
const PUBLIC_V6 = new BlockList()
addRange(PUBLIC_V6, '2000::/3')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']) {
  addRange(SPECIAL, range)
}

function addRange(list: BlockList, range: string): void {
  const [address, bits] = range.split('/') as [string, string]
  list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
}

export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  switch (isIP(plain)) {
    case 4:
      return !SPECIAL.check(plain, 'ipv4')
    case 6:
      return PUBLIC_V6.check(plain, 'ipv6') && !SPECIAL.check(plain, 'ipv6')
    default:
      return false
  }
}

// The "bad ports" of the Fetch standard, which browsers refuse, too. The services there do not speak HTTP and may
// misread a request.
const NOT_WEB_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
  135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995
  1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
    /\s+/,
  ),
)

/** Takes the `port` of a URL, which is empty for the default port. */
export function isWebPort(port: string): boolean {
  return !NOT_WEB_PORTS.has(port)
}

/** The private hosts that the operator allows: host names, single addresses or ranges. */
export class AllowedHosts {
  readonly #names = new Set<string>()
  readonly #ranges = new BlockList()

  constructor(entries: readonly string[]) {
    for (const given of entries) {
      const entry = given.replace(/[[\]]/g, '').replace(/\.+$/, '')
      const [address] = entry.split('/') as [string]
      const family = isIP(address)
      if (family === 0) this.#names.add(entry.toLowerCase())
      else if (entry.includes('/')) addRange(this.#ranges, entry)
      else this.#ranges.addAddress(address, family === 6 ? 'ipv6' : 'ipv4')
    }
  }

  allowsName(hostname: string): boolean {
    return this.#names.has(hostname.toLowerCase())
  }

  allows(hostname: string, address: string): boolean {
    const family = isIP(address)
    return (
      this.allowsName(hostname) ||
      (family !== 0 && this.#ranges.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    )
  }
}
