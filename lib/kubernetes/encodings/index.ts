/** Decoders of request bodies to JSON values: JSON, protobuf of Kubernetes' kinds, and YAML. Also a YAML encoder. */
export { decodeJson, JsonFault } from './decode-json.ts';
export { EncodingError } from './encoding-error.ts';
export { type ExpectedKind, KindError } from './kind-error.ts';
export { parseJson } from './parse-json.ts';
export { readProtobuf } from './read-protobuf.ts';
export { readYaml } from './read-yaml.ts';
export { writeYaml } from './write-yaml.ts';
export type { ReadYaml } from './yaml-options.ts';
