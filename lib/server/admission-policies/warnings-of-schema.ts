import { RULES_SCHEMA, type Store } from '../../store/index.ts';

/** The warning about a new rule in a table whose row schema is older than the one from which rules count. */
export async function warningsOfSchema(store: Pick<Store, 'schema'>): Promise<readonly string[]> {
  if ((await store.schema()) >= RULES_SCHEMA) return [];
  return [
    `this object has no effect yet: admission rules need row schema version ${RULES_SCHEMA}. Ask an administrator to run: winnow upgrade --raise`,
  ];
}
