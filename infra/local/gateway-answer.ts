import type { Definition } from './definition.ts';

/** What API Gateway answers by itself, whole. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The template's gateway response of a type, for one request. */
export function gatewayAnswer(
  { answers }: Pick<Definition, 'answers'>,
  type: string,
  requestId: string,
): GatewayAnswer {
  const { status, headers, body } = answers.get(type) ?? { status: 500, headers: {}, body: '' };
  const named = Object.entries(headers).map(([name, value]) => [name, mapped(value, requestId)]);
  return { status, headers: { 'content-type': 'application/json', ...Object.fromEntries(named) }, body };
}

/** A header's value as a gateway response maps it. */
function mapped(expression: string, requestId: string): string {
  return expression === 'context.requestId' ? requestId : expression.slice(1, -1);
}
