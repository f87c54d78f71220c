/**
 * What of the schema library the published types need, written anew: theirs is made for building schemas, and takes the
 * compiler of an application longer than all the rest.
 */
export * as default from './schemas.mjs'

export interface TSchema {
  '~kind'?: string
}
export type TProperties = { [name: string]: TSchema }
export interface TString extends TSchema {
  '~kind': 'String'
}
export interface TNumber extends TSchema {
  '~kind': 'Number'
}
export interface TInteger extends TSchema {
  '~kind': 'Integer'
}
export interface TBoolean extends TSchema {
  '~kind': 'Boolean'
}
export interface TNull extends TSchema {
  '~kind': 'Null'
}
export interface TUnknown extends TSchema {
  '~kind': 'Unknown'
}
export interface TLiteral<Value> extends TSchema {
  '~kind': 'Literal'
  const: Value
}
export interface TEnum<Values extends readonly unknown[]> extends TSchema {
  '~kind': 'Enum'
  enum: Values
}
export interface TArray<Items extends TSchema> extends TSchema {
  '~kind': 'Array'
  items: Items
}
export interface TUnion<Types extends readonly TSchema[]> extends TSchema {
  '~kind': 'Union'
  anyOf: Types
}
export interface TRecord<Key extends string, Value extends TSchema> extends TSchema {
  '~kind': 'Record'
  patternProperties: { [key in Key]: Value }
}
export interface TObject<Properties> extends TSchema {
  '~kind': 'Object'
  properties: Properties
}
/** What the server looks at only where it takes it. */
export interface TUnsafe<Value> extends TSchema {
  '~unsafe': Value
}
/** What a check adds to it says nothing of its type. */
export type TRefine<Type extends TSchema> = Type
export type TOptional<Type extends TSchema> = Type & { '~optional': true }

type OptionalKeys<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { '~optional': true } ? Name : never
}[keyof Properties]
type Evaluated<Type> = { [Name in keyof Type]: Type[Name] } & {}

/** What a value that keeps to a schema is. */
export type Static<Type> = Type extends TString
  ? string
  : Type extends TNumber | TInteger
    ? number
    : Type extends TBoolean
      ? boolean
      : Type extends TNull
        ? null
        : Type extends TUnknown
          ? unknown
          : Type extends TLiteral<infer Value>
            ? Value
            : Type extends TEnum<infer Values>
              ? Values[number]
              : Type extends TArray<infer Items>
                ? Static<Items>[]
                : Type extends TUnion<infer Types>
                  ? { [At in keyof Types]: Static<Types[At]> }[number]
                  : Type extends TRecord<string, infer Value>
                    ? Record<string, Static<Value>>
                    : Type extends TObject<infer Properties>
                      ? keyof Properties extends never
                        ? object
                        : Evaluated<
                            {
                              [Name in Exclude<keyof Properties, OptionalKeys<Properties>>]: Static<Properties[Name]>
                            } & {
                              [Name in OptionalKeys<Properties>]?: Static<Properties[Name]>
                            }
                          >
                      : Type extends TUnsafe<infer Value>
                        ? Value
                        : never
