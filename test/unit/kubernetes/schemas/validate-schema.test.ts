import { describe, expect, it } from '@jest/globals';
import { isJsonObject, objectAt } from '../../../../lib/json/index.ts';
import { type Schema, validateSchema } from '../../../../lib/kubernetes/schemas/index.ts';
import type { Recorded } from '../../../golden/recording.ts';
import { METADATA } from './metadata-rules.ts';
import { bodyOf, causesOf, RECORDED, toldAs } from './recorded.ts';

const PATH = 'spec.validation.openAPIV3Schema';

/** The schema of a definition that has exactly one version. */
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

describe('the schema of a CustomResourceDefinition', () => {
  it.each(
    DEFINITIONS.flatMap((recorded) => {
      const schema = schemaOf(recorded);
      return schema === undefined ? [] : [[`${recorded.n} ${recorded.case}`, recorded, schema] as const];
    }),
  )('validateSchema gives the errors of a kube-apiserver: %s', async (_name, recorded, schema) => {
    const told = causesOf(recorded).filter((cause) => cause.includes(` ${PATH}`));
    const errors = await validateSchema(schema, { path: PATH, hasStatus: false }, METADATA);
    expect(toldAs(errors).map(withoutParserWords)).toEqual(told.map(withoutParserWords));
  });
});

/** The cause without the text of a syntax error, because Winnow's CEL parser words it differently from Kubernetes'. */
function withoutParserWords(cause: string): string {
  return cause.replace(/Syntax error: [^\n]*/, 'Syntax error');
}
