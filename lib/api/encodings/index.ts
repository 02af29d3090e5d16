/** Bodies that are not JSON, as the JSON values that they say: protobuf of Kubernetes' kinds, and YAML. */
export { EncodingError } from './encoding-error.ts';
export { type ExpectedKind, KindError, readProtobuf } from './read-protobuf.ts';
export { type ReadYaml, readYaml } from './read-yaml.ts';
