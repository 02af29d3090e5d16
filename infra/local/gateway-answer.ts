import type { Definition } from './definition.ts';

/** An answer that API Gateway creates itself. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Creates the answer to one request from the template's gateway response of a type. */
export function gatewayAnswer(
  { answers }: Pick<Definition, 'answers'>,
  type: string,
  requestId: string,
): GatewayAnswer {
  const { status, headers, body } = answers.get(type) ?? { status: 500, headers: {}, body: '' };
  const named = Object.entries(headers).map(([name, value]) => [name, mapped(value, requestId)]);
  return { status, headers: { 'content-type': 'application/json', ...Object.fromEntries(named) }, body };
}

/** Evaluates the mapping expression of a header. */
function mapped(expression: string, requestId: string): string {
  return expression === 'context.requestId' ? requestId : expression.slice(1, -1);
}
