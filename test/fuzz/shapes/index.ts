import type { Shape } from '../fuzz-request.ts';
import { DEFINITION_SHAPES } from './definition-shapes.ts';
import { JSON_SHAPES } from './json-shapes.ts';
import { PATCH_SHAPES } from './patch-shapes.ts';
import { PROTOBUF_SHAPES } from './protobuf-shapes.ts';
import { QUERY_SHAPES } from './query-shapes.ts';
import { YAML_SHAPES } from './yaml-shapes.ts';

/** Every family of requests that the bench sends. */
export const SHAPES: readonly Shape[] = [
  ...YAML_SHAPES,
  ...JSON_SHAPES,
  ...PROTOBUF_SHAPES,
  ...PATCH_SHAPES,
  ...QUERY_SHAPES,
  ...DEFINITION_SHAPES,
];
