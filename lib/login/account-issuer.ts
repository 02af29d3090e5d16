/** What tokens of service accounts name as their issuer, and as their audience where nothing else is asked for. */
export const accountIssuer = (clusterId: string): string => `urn:winnow:${clusterId}`;
