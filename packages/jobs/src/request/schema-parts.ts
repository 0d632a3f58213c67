import * as z from 'zod/mini';

/** What kinds use of the schema library; named one by one, so that bundlers can leave out the rest, which is large. */
export const PARTS = {
  array: z.array,
  boolean: z.boolean,
  enum: z.enum,
  gt: z.gt,
  gte: z.gte,
  int: z.int,
  literal: z.literal,
  lte: z.lte,
  minLength: z.minLength,
  number: z.number,
  optional: z.optional,
  refine: z.refine,
  regex: z.regex,
  strictObject: z.strictObject,
  string: z.string,
  tuple: z.tuple,
  union: z.union,
};
