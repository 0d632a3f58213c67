/** The reference's examples that need a page: each is a module that throws where something is wrong. */

// Written out by the bundler; its type is not among those that the tests know.
const modules = (import.meta as unknown as { glob(pattern: string): Record<string, () => Promise<unknown>> }).glob(
  '../../../examples/*.page.ts',
);

Object.assign(globalThis, {
  lab: {
    names: () => Object.keys(modules),
    async run(name: string) {
      await modules[name]();
    },
  },
});
