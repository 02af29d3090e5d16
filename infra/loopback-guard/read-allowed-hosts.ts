/** A DNS name or an IPv4 address, or an IPv6 address in brackets. */
const NAME =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\])$/i;

/**
 * Reads a comma-separated list of host names, in lower case.
 *
 * @throws {Error} a part is not a host name: ports, schemes, wildcards and trailing dots are not allowed.
 */
export function readAllowedHosts(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    if (NAME.test(name)) return name;
    throw new Error(
      `${JSON.stringify(part)} is not a host name: use names such as dev.example or [fd00::1], without a port`,
    );
  });
}

/**
 * Reads a comma-separated list of origins, such as `http://localhost:4466`, as browsers send them.
 *
 * @throws {Error} a part is not an origin of http or https
 */
export function readAllowedOrigins(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const given = part.trim();
    const origin = URL.canParse(given) ? new URL(given).origin : 'null';
    if (/^https?:/.test(origin) && given.toLowerCase().replace(/\/$/, '') === origin) return origin;
    throw new Error(
      `${JSON.stringify(part)} is not an origin: use a scheme, a host and a port other than the scheme's own, such as http://localhost:4466`,
    );
  });
}
