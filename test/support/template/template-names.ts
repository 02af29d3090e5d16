import { createResolver, type Physical } from '../../../infra/local/intrinsics.ts';
import type { Template } from '../../../infra/local/template.ts';

const PSEUDO_PARAMETERS = ['AWS::Partition', 'AWS::Region', 'AWS::AccountId'];

/**
 * Resolves the references of a part of a template: each resource is called by its logical id without the digest,
 * also where its ARN is asked for, and each pseudo parameter by its own name; the stack's id ends with `uuid`.
 */
export function createNamer({ Resources }: Template): (part: unknown) => unknown {
  const ids = [...Object.keys(Resources), ...PSEUDO_PARAMETERS];
  const named = ids.map((id): [string, Physical] => {
    const ref = id.replace(/[0-9A-F]{8}$/, '');
    return [id, { ref, attributes: { Arn: ref, StreamArn: ref } }];
  });
  const stack: Physical = { ref: 'arn:AWS::Partition:cloudformation:::stack/Winnow/uuid', attributes: {} };
  return createResolver(new Map([...named, ['AWS::StackId', stack]]));
}
