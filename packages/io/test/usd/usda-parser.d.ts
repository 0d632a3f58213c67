/** A part of three without types: it takes a layer of text apart. */
declare module 'three/addons/loaders/usd/USDAParser.js' {
  export class USDAParser {
    parseData(text: string): {
      readonly specsByPath: Readonly<Record<string, { readonly fields: Readonly<Record<string, unknown>> }>>;
    };
  }
}
