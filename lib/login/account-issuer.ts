/** The issuer of service account tokens; also their audience if the request names none. */
export const accountIssuer = (clusterId: string): string => `urn:winnow:${clusterId}`;
