// Generates the client's request and response types from the API description.

const WIDTH = 100

interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema | false
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

interface Body {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  parameters?: { schema: Schema }[]
  requestBody?: Body
  responses: Record<string, Body>
}

interface Description {
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, unknown>>
}

/** Writes the client's files with all components and titled schemas of the operations under a path. */
export function writeClientRecords(description: Description, prefix: string): Record<File, string> {
  const types = new Types(description.components.schemas as Record<string, Schema>)
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([, methods]) => Object.values(methods) as Operation[])
  for (const { responses } of operations) types.addBody('records.ts', responses['200'])
  for (const { parameters = [], requestBody } of operations) {
    for (const { schema } of parameters) types.add('requests.ts', schema)
    types.addBody('requests.ts', requestBody)
  }
  return types.write()
}

/** Responses, types only in requests, and the values that fields of both may have. */
type File = 'records.ts' | 'requests.ts' | 'values.ts'

interface Declaration {
  file: File
  text: string
  /** Names of the types that the text refers to. */
  uses: Set<string>
}

class Types {
  readonly #components: Record<string, Schema>
  readonly #declarations = new Map<string, Declaration>()
  #file: File = 'records.ts'
  #uses = new Set<string>()

  constructor(components: Record<string, Schema>) {
    this.#components = components
  }

  addBody(file: File, body: Body | undefined): void {
    for (const { schema } of Object.values(body?.content ?? {})) this.add(file, schema, true)
  }

  add(file: File, schema: Schema, isWhole = false): void {
    this.#file = file
    this.#nameOf(schema, isWhole)
  }

  write(): Record<File, string> {
    const write = (file: File) => this.#write(file)
    return {
      'records.ts': write('records.ts'),
      'requests.ts': write('requests.ts'),
      'values.ts': write('values.ts'),
    }
  }

  #write(file: File): string {
    const declared = [...this.#declarations]
      .filter(([, declaration]) => declaration.file === file)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const used = new Set(declared.flatMap(([, { uses }]) => [...uses]))
    const imports = (['records.ts', 'values.ts'] as const)
      .filter((other) => other !== file)
      .flatMap((other) => {
        const names = [...used].filter((name) => this.#declarations.get(name)!.file === other)
        return names.length > 0 ? [importOf(names.sort(), other)] : []
      })
    const head = '// Generated from docs/openapi.json by "npm run generate".\n'
    return [head + imports.join(''), ...declared.map(([, { text }]) => text)].join('\n')
  }

  /** Returns the name of a schema's type, or the type itself if it has no name. */
  #nameOf(schema: Schema, isWhole = false, indent = ''): string {
    const component = schema.$ref?.split('/').at(-1)
    const name = component ?? schema.title
    if (name === undefined) return this.#shapeOf(schema, indent)
    const known = this.#declarations.get(name)
    if (component === undefined || !known) {
      const { title: _, ...shape } = schema
      const found = this.#declare(
        name,
        component ? this.#components[name]! : shape,
        isWhole || !!component,
      )
      if (known && known.text !== found.text)
        throw new Error(`Two schemas are called ${name}:\n${known.text}\n${found.text}`)
      if (!known) this.#declarations.set(name, found)
    }
    this.#uses.add(name)
    return name
  }

  /** Writes the schema's description only with `isWhole`. Otherwise it describes the place of use, not the type. */
  #declare(name: string, schema: Schema, isWhole: boolean): Declaration {
    const outer = this.#uses
    const uses = new Set<string>()
    this.#uses = uses
    const comment = isWhole ? commentOf(schema, '') : ''
    const type = this.#shapeOf(schema, '')
    this.#uses = outer
    if (schema.properties)
      return { file: this.#file, uses, text: `${comment}export interface ${name} ${type}\n` }
    const line = `export type ${name} = ${type}\n`
    const lines = `export type ${name} =\n  | ${type.replaceAll(' | ', '\n  | ')}\n`
    return { file: 'values.ts', uses, text: comment + (line.length <= WIDTH ? line : lines) }
  }

  #shapeOf(schema: Schema, indent: string): string {
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return schema.enum.map(literal).join(' | ')
    if (schema.anyOf) return union(schema.anyOf.map((one) => this.#nameOf(one, false, indent)))
    if (schema.prefixItems)
      return `[${schema.prefixItems.map((one) => this.#nameOf(one, false, indent)).join(', ')}]`
    if (schema.properties) return this.#objectOf(schema, indent)
    const { additionalProperties: values } = schema
    if (typeof values === 'object') return `Record<string, ${this.#nameOf(values, false, indent)}>`
    return union([schema.type ?? []].flat().map((type) => this.#plain(type, schema, indent)))
  }

  #plain(type: string, { items }: Schema, indent: string): string {
    if (type === 'integer') return 'number'
    if (type !== 'array') return type
    const item = this.#nameOf(items || {}, false, indent)
    const isOne = !item.includes(' | ') || (item.startsWith('{') && item.endsWith('}'))
    return isOne ? `${item}[]` : `(${item})[]`
  }

  #objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
    const inner = `${indent}  `
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = this.#nameOf(schema, false, inner)
      const field = required.includes(key) ? `${key}: ${type}` : `${key}?: ${type} | undefined`
      return `${commentOf(schema, inner)}${inner}${field}\n`
    })
    return `{\n${fields.join('')}${indent}}`
  }
}

function importOf(names: string[], file: File): string {
  const line = `import type { ${names.join(', ')} } from './${file}'\n`
  if (line.length <= WIDTH) return line
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}'\n`
}

function commentOf({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function union(types: string[]): string {
  return types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
}
