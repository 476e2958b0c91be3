/** The part of OpenAPI 3.0.3 that `/api/spec` is written in and `/-/api` is rendered from. */
export interface OpenApi {
  readonly openapi: '3.0.3';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  /** Groups of operations, in the order of the page. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by method, by path with parameters as `{name}`. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, unknown>> & {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly tags: readonly [string];
  /** Empty for an operation that takes no token; with an empty object for one that needs none. */
  readonly security: readonly object[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent } | undefined;
  /** Responses by status code. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: OpenApiSchema;
  readonly example?: string;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: object;
  readonly content?: OpenApiContent;
}

/** Bodies by media type. */
export type OpenApiContent = Readonly<
  Record<string, { readonly schema: OpenApiSchema; readonly example?: unknown; readonly encoding?: object }>
>;

/** A JSON Schema as OpenAPI has it; keywords that the page does not show are left out. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly example?: unknown;
}
