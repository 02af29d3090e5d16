import { loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { type MetadataRules, metadataReader } from '../../../../lib/kubernetes/schemas/index.ts';

const fields = await loadFields();

/** Reads the metadata of embedded resources, and validates nothing. */
export const METADATA: MetadataRules = {
  read: metadataReader(fields.message('meta.v1.ObjectMeta')),
  check: () => [],
};
