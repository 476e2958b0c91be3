import * as z from 'zod';

/**
 * A schema of the API as a client reads it: newer servers, and others with this interface, send more fields and other
 * values of the same types.
 */
export function loosened<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  return loose(schema) as z.ZodType<z.output<Schema>>;
}

function loose(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, loose(field)]);
    return z.looseObject(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodArray) return z.array(loose(schema.element));
  if (schema instanceof z.ZodOptional) return loose(schema.unwrap()).optional();
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat) return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  return schema as z.ZodType;
}
