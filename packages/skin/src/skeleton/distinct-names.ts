/** A number behind every name that is there already. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; taken.has(own); count++) own = `${name}${count}`;
    taken.add(own);
    return own;
  });
}
