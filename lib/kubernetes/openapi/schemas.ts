import type { JsonObject } from '../../json/index.ts';
import components from './components.json' with { type: 'json' };

/** The data that the generator read from Kubernetes' OpenAPI documents. */
export const schemas = components as unknown as Readonly<Record<string, JsonObject>>;
