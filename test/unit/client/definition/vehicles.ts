import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

/** One spec in three libraries: each form of the conversion that they all can write. */
export const zodSpec = z.object({
  model: z.string().min(1).describe('The model.'),
  state: z.enum(['active', 'retired']).default('active'),
  wheels: z.int().default(4),
  note: z.string().nullable().optional(),
  form: z.literal('road'),
  load: z.number().gt(0).lte(1).optional(),
  extra: z.unknown().optional(),
  port: z.union([z.int(), z.string()]).optional(),
  counts: z.record(z.string(), z.int()).optional(),
  plate: z
    .string()
    .regex(/^[A-Z]+$/)
    .optional(),
  trips: z
    .array(z.object({ id: z.string(), length: z.number().optional() }))
    .max(3)
    .optional(),
  closed: z.strictObject({ on: z.boolean() }).optional(),
});

export const valibotSpec = toStandardJsonSchema(
  v.object({
    model: v.pipe(v.string(), v.minLength(1), v.description('The model.')),
    state: v.optional(v.picklist(['active', 'retired']), 'active'),
    wheels: v.optional(v.pipe(v.number(), v.integer()), 4),
    note: v.optional(v.nullable(v.string())),
    form: v.literal('road'),
    load: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))),
    extra: v.optional(v.unknown()),
    port: v.optional(v.union([v.pipe(v.number(), v.integer()), v.string()])),
    counts: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer()))),
    plate: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]+$/))),
    trips: v.optional(
      v.pipe(v.array(v.object({ id: v.string(), length: v.optional(v.number()) })), v.maxLength(3)),
    ),
    closed: v.optional(v.strictObject({ on: v.boolean() })),
  }),
);

export const arktypeSpec = type({
  model: type('string >= 1').describe('The model.'),
  state: "'active' | 'retired' = 'active'",
  wheels: 'number.integer = 4',
  'note?': 'string | null',
  form: "'road'",
  'load?': '0 < number <= 1',
  'extra?': 'unknown',
  'port?': 'number.integer | string',
  'counts?': { '[string]': 'number.integer' },
  'plate?': '/^[A-Z]+$/',
  'trips?': type({ id: 'string', 'length?': 'number' }).array().atMostLength(3),
  'closed?': { '+': 'reject', on: 'boolean' },
});
