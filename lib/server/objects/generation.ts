import { type JsonObject, jsonEquals, metadataOf } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';

/** The generation of a new object: 1, or for a kind without counted generations the client's value, if any. */
export function firstGeneration(type: ResourceType, { generation }: JsonObject): JsonObject {
  if (type.countsGeneration) return { generation: 1 };
  return typeof generation === 'number' && generation !== 0 ? { generation } : {};
}

/** Increments the generation if more than metadata and status changes; for a Deployment also if annotations change. */
export function withGeneration(type: ResourceType, body: JsonObject, old: JsonObject): JsonObject {
  const counts = type.countsGeneration && !jsonEquals(contentOf(type, body), contentOf(type, old));
  return counts ? withNextGeneration(body) : body;
}

/** The object with its generation incremented, if it has one. */
export function withNextGeneration(body: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  if (metadata.generation === undefined) return body;
  return { ...body, metadata: { ...metadata, generation: Number(metadata.generation) + 1 } };
}

/** The content that counts for the generation. A custom kind without a `/status` has its status in the content. */
function contentOf({ kind, custom, status }: ResourceType, body: JsonObject): JsonObject {
  const { metadata: _metadata, status: own, ...rest } = body;
  const content = custom === undefined || status || own === undefined ? rest : { ...rest, status: own };
  return kind === 'Deployment' ? { ...content, annotations: metadataOf(body).annotations ?? {} } : content;
}
