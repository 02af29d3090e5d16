import { describe, expect, it } from '@jest/globals';
import { isJsonObject, objectAt } from '../../../../lib/json/index.ts';
import { type Schema, validateSchema } from '../../../../lib/kubernetes/schemas/index.ts';
import type { Recorded } from '../../../golden/recording.ts';
import { METADATA } from './metadata-rules.ts';
import { bodyOf, causesOf, RECORDED, toldAs } from './recorded.ts';

const PATH = 'spec.validation.openAPIV3Schema';

/** The only schema of a definition. */
function schemaOf(recorded: Recorded): Schema | undefined {
  const { versions } = objectAt(bodyOf(recorded).spec);
  const [first, ...more] = Array.isArray(versions) ? versions.filter(isJsonObject) : [];
  const schema = more.length === 0 ? objectAt(first?.schema).openAPIV3Schema : undefined;
  return isJsonObject(schema) ? (schema as Schema) : undefined;
}

const DEFINITIONS = RECORDED.filter(
  ({ method, path, status }) =>
    method === 'POST' && path.endsWith('/customresourcedefinitions') && (status === 422 || status === 201),
);

describe('the schema of a definition', () => {
  it.each(
    DEFINITIONS.flatMap((recorded) => {
      const schema = schemaOf(recorded);
      return schema === undefined ? [] : [[`${recorded.n} ${recorded.case}`, recorded, schema] as const];
    }),
  )('The schema is validated as by a kube-apiserver: %s', async (_name, recorded, schema) => {
    const told = causesOf(recorded).filter((cause) => cause.includes(` ${PATH}`));
    const errors = await validateSchema(schema, { path: PATH, hasStatus: false }, METADATA);
    expect(toldAs(errors).map(withoutParserWords)).toEqual(told.map(withoutParserWords));
  });
});

/** The tokens that a parser expected are its own: CEL's grammar is not Kubernetes'. */
function withoutParserWords(cause: string): string {
  return cause.replace(/Syntax error: [^\n]*/, 'Syntax error');
}
