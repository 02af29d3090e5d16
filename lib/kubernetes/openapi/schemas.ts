import type { JsonObject } from '../../json/index.ts';
import components from './components.json' with { type: 'json' };

/** What the generator read of Kubernetes' OpenAPI documents. */
export const schemas = components as unknown as Readonly<Record<string, JsonObject>>;
