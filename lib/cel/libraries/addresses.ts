import { type Implementations, typed } from '../functions/index.ts';
import { CelError, OpaqueValue, type Value } from '../values/index.ts';
import { quoteLikeGo } from './go-text.ts';

interface Bits {
  /** 32 or 128. */
  readonly length: number;
  readonly bits: bigint;
}

/** An IPv4 or IPv6 address. */
class Address extends OpaqueValue {
  override readonly typeName = 'net.IP';
  readonly at: Bits;

  constructor(at: Bits) {
    super();
    this.at = at;
  }

  override get size(): number {
    return this.at.length / 8;
  }

  override get key(): string {
    return `ip ${this.at.length} ${this.at.bits}`;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof Address ? sameBits(this.at, other.at) : new CelError('no such overload');
  }
}

/** A network: an address and the length of its prefix. */
class Network extends OpaqueValue {
  override readonly typeName = 'net.CIDR';
  readonly at: Bits;
  readonly prefix: number;

  constructor(at: Bits, prefix: number) {
    super();
    this.at = at;
    this.prefix = prefix;
  }

  override get size(): number {
    return Math.ceil(this.prefix / 8);
  }

  override get key(): string {
    return `cidr ${this.at.length} ${this.at.bits} ${this.prefix}`;
  }

  override equals(other: Value): boolean | CelError {
    if (!(other instanceof Network)) return new CelError('no such overload');
    return this.prefix === other.prefix && sameBits(this.at, other.at);
  }

  contains({ length, bits }: Bits): boolean {
    return length === this.at.length && this.#head(bits) === this.#head(this.at.bits);
  }

  masked(): Network {
    const bits = this.#head(this.at.bits) << BigInt(this.at.length - this.prefix);
    return new Network({ length: this.at.length, bits }, this.prefix);
  }

  #head(bits: bigint): bigint {
    return bits >> BigInt(this.at.length - this.prefix);
  }
}

/** Functions of addresses and networks, by overload id. */
export const ADDRESSES: Implementations = {
  string_to_ip: typed((_, text: string) => addressOf(text)),
  ip_to_string: typed((_, { at }: Address) => addressText(at)),
  ip_family: typed((_, { at }: Address) => (at.length === 32 ? 4n : 6n)),
  ip_is_canonical: typed((_, text: string) => {
    const address = addressOf(text);
    return address instanceof CelError ? address : addressText(address.at) === text;
  }),
  is_ip: typed((_, text: string) => addressOf(text) instanceof Address),
  ip_is_unspecified: typed((_, { at }: Address) => at.bits === 0n),
  ip_is_loopback: typed((_, { at }: Address) => isLoopback(at)),
  ip_is_link_local_multicast: typed((_, { at }: Address) => isLinkLocalMulticast(at)),
  ip_is_link_local_unicast: typed((_, { at }: Address) => isLinkLocalUnicast(at)),
  ip_is_global_unicast: typed((_, { at }: Address) => isGlobalUnicast(at)),
  string_to_cidr: typed((_, text: string) => networkOf(text)),
  cidr_to_string: typed((_, { at, prefix }: Network) => `${addressText(at)}/${prefix}`),
  is_cidr: typed((_, text: string) => networkOf(text) instanceof Network),
  cidr_ip: typed((_, { at }: Network) => new Address(at)),
  cidr_prefix_length: typed((_, { prefix }: Network) => BigInt(prefix)),
  cidr_masked: typed((_, network: Network) => network.masked()),
  cidr_contains_ip_ip: typed((_, network: Network, { at }: Address) => network.contains(at)),
  cidr_contains_ip_string: typed((_, network: Network, text: string) => {
    const address = addressOf(text);
    // kube-apiserver reports the wrong operand here, not what is wrong with the text.
    return address instanceof CelError ? new CelError('no such overload') : network.contains(address.at);
  }),
  cidr_contains_cidr: typed((_, network: Network, other: Network) => containsNetwork(network, other)),
  cidr_contains_cidr_string: typed((_, network: Network, text: string) => {
    const other = networkOf(text);
    return other instanceof CelError ? other : containsNetwork(network, other);
  }),
};

function containsNetwork(network: Network, other: Network): boolean {
  return network.prefix <= other.prefix && network.contains(other.at);
}

function sameBits(one: Bits, other: Bits): boolean {
  return one.length === other.length && one.bits === other.bits;
}

/** Returns the byte at an index. */
function byteAt({ length, bits }: Bits, index: number): number {
  return Number((bits >> BigInt(length - 8 * (index + 1))) & 255n);
}

function isLoopback(at: Bits): boolean {
  return at.length === 32 ? byteAt(at, 0) === 127 : at.bits === 1n;
}

function isLinkLocalMulticast(at: Bits): boolean {
  if (at.length === 32) return at.bits >> 8n === 0xe00000n;
  return byteAt(at, 0) === 0xff && (byteAt(at, 1) & 0x0f) === 2;
}

function isLinkLocalUnicast(at: Bits): boolean {
  if (at.length === 32) return at.bits >> 16n === 0xa9fen;
  return byteAt(at, 0) === 0xfe && (byteAt(at, 1) & 0xc0) === 0x80;
}

function isGlobalUnicast(at: Bits): boolean {
  const isMulticast = at.length === 32 ? byteAt(at, 0) >> 4 === 0xe : byteAt(at, 0) === 0xff;
  const isBroadcast = at.length === 32 && at.bits === 0xffffffffn;
  return at.bits !== 0n && !isBroadcast && !isLoopback(at) && !isMulticast && !isLinkLocalUnicast(at);
}

function addressOf(text: string): Address | CelError {
  const quoted = quoteLikeGo(text);
  const at = bitsOf(text);
  if (at === 'zone') return new CelError(`IP address ${quoted} with zone value is not allowed`);
  if (at === undefined) {
    return new CelError(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
    );
  }
  return isMapped(at) ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`) : new Address(at);
}

const NETWORK_ERROR = 'network address parse error during conversion from string: ';

function networkOf(text: string): Network | CelError {
  const quoted = quoteLikeGo(text);
  const slash = text.lastIndexOf('/');
  const [address, prefix] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  const at = bitsOf(address);
  const wrong = prefixError(at, slash === -1 ? undefined : prefix, address);
  if (at === undefined || at === 'zone' || wrong !== undefined) {
    return new CelError(`${NETWORK_ERROR}${NETWORK_ERROR}netip.ParsePrefix(${quoted}): ${wrong}`);
  }
  if (isMapped(at)) return new CelError(`${NETWORK_ERROR}IPv4-mapped IPv6 address ${quoted} is not allowed`);
  return new Network(at, Number(prefix));
}

/** Returns what is wrong with a network, in Go's words. */
function prefixError(
  at: Bits | 'zone' | undefined,
  prefix: string | undefined,
  address: string,
): string | undefined {
  if (prefix === undefined) return "no '/'";
  if (at === undefined) return `ParseAddr(${quoteLikeGo(address)}): unable to parse IP`;
  if (at === 'zone') return 'IPv6 zones cannot be present in a prefix';
  if (!/^(0|[1-9]\d*)$/.test(prefix)) return `bad bits after slash: ${quoteLikeGo(prefix)}`;
  return Number(prefix) > at.length ? 'prefix length out of range' : undefined;
}

/** True for `::ffff:1.2.3.4`. */
function isMapped({ length, bits }: Bits): boolean {
  return length === 128 && bits >> 32n === 0xffffn;
}

/** Reads an address; 'zone' for one with a zone; undefined for a text that is none. */
function bitsOf(text: string): Bits | 'zone' | undefined {
  if (text.length > 200) return undefined;
  if (!text.includes(':')) {
    const bits = bits4Of(text);
    return bits === undefined ? undefined : { length: 32, bits };
  }
  const [address = '', ...zone] = text.split('%');
  const bits = bits6Of(address);
  if (bits === undefined || zone.join('%') === '') {
    return bits === undefined || zone.length > 0 ? undefined : bits;
  }
  return 'zone';
}

function bits4Of(text: string): bigint | undefined {
  const fields = text.split('.');
  if (fields.length !== 4) return undefined;
  let bits = 0n;
  for (const field of fields) {
    if (!/^(0|[1-9]\d{0,2})$/.test(field) || Number(field) > 255) return undefined;
    bits = (bits << 8n) | BigInt(field);
  }
  return bits;
}

function bits6Of(text: string): Bits | undefined {
  const dotted = /^(.*:)([\d.]+)$/.exec(text);
  let groups = text;
  if (dotted?.[2]?.includes('.') === true) {
    const last = bits4Of(dotted[2]);
    if (last === undefined) return undefined;
    groups = `${dotted[1]}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
  }
  const [before = '', after, more] = groups.split('::');
  if (more !== undefined) return undefined;
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const missing = 8 - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return { length: 128, bits: BigInt(`0x${all.map((group) => group.padStart(4, '0')).join('')}`) };
}

/** Returns the canonical text of an address. */
function addressText(at: Bits): string {
  if (at.length === 32) return [0, 1, 2, 3].map((index) => byteAt(at, index)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (at.bits >> BigInt(112 - 16 * index)) & 0xffffn);
  const { start, length } = longestZeros(groups);
  const texts = groups.map((group) => group.toString(16));
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

/** Returns the first of the longest runs of zeros. */
function longestZeros(groups: readonly bigint[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [at, group] of groups.entries()) {
    length = group === 0n ? length + 1 : 0;
    if (length > best.length) best = { start: at + 1 - length, length };
  }
  return best;
}
