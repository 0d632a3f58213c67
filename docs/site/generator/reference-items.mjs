// @ts-check
/** One function, class, interface, type or constant of the reference as HTML. */
import { ReflectionKind } from '../../api/reference.mjs';
import { escapeHtml, highlighted, renderComment } from './markdown.mjs';

/**
 * @typedef {import('../../api/reference.mjs').DeclarationReflection} Declaration
 * @typedef {import('../../api/reference.mjs').SignatureReflection} Signature
 * @typedef {readonly import('../../api/reference.mjs').CommentDisplayPart[]} Parts
 */

/** A signature longer than this has one parameter per line. */
const LINE = 96;

export class ReferenceItems {
  /** @type {(name: string) => string | undefined} */
  #addressOf;

  /** @param {(name: string) => string | undefined} addressOf  of an exported item, seen from the page */
  constructor(addressOf) {
    this.#addressOf = addressOf;
  }

  /** @param {string} name */
  nameLink(name) {
    const address = this.#addressOf(name);
    const code = `<code>${escapeHtml(name)}</code>`;
    return address ? `<a href="${address}">${code}</a>` : code;
  }

  /** @param {Declaration} item */
  item(item) {
    const kind = ReflectionKind.singularString(item.kind).toLowerCase();
    const heading = `<h2 id="${item.name}"><span class="kind">${kind}</span> ${escapeHtml(item.name)} <a class="anchor" href="#${item.name}" aria-label="Link to this item">#</a></h2>`;
    return `${heading}\n${this.#body(item)}`;
  }

  /** @param {Declaration} item */
  #body(item) {
    if (item.kindOf(ReflectionKind.Function)) return (item.signatures ?? []).map((each) => this.#call(each)).join('\n');
    if (item.kindOf([ReflectionKind.Class, ReflectionKind.Interface])) return this.#members(item);
    const head = item.kindOf(ReflectionKind.TypeAlias) ? `type ${item.name} = ` : `const ${item.name}: `;
    return this.#code(head + item.type) + this.#words(item.comment);
  }

  /** @param {Signature} signature @param {string} [head]  before the name */
  #call(signature, head = 'function ') {
    const { comment, parameters = [] } = signature;
    const described = parameters.filter((each) => each.comment?.summary.length);
    const rows = described.map(
      ({ name, comment: words }) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${this.#text(words?.summary ?? [])}</td></tr>`,
    );
    const returned = comment?.getTag('@returns');
    if (returned) rows.push(`<tr><td>returns</td><td>${this.#text(returned.content)}</td></tr>`);
    const table =
      rows.length > 0 ? `<div class="table" tabindex="0"><table class="arguments">${rows.join('')}</table></div>` : '';
    return this.#code(callText(signature, head)) + this.#text(comment?.summary ?? []) + table + this.#examples(comment);
  }

  /** @param {Declaration} item  a class or an interface */
  #members(item) {
    const parents = (item.extendedTypes ?? []).map(String).join(', ');
    const word = item.kindOf(ReflectionKind.Class) ? 'class' : 'interface';
    const own = (item.children ?? []).filter((child) => !child.inheritedFrom);
    const calls = own.flatMap((child) => {
      const head = child.kindOf(ReflectionKind.Constructor) ? 'new ' : '.';
      return (child.signatures ?? []).map((each) => this.#call(each, head));
    });
    const rows = own
      .filter((child) => !child.signatures)
      .map((child) => {
        const { type, comment } = child.getSignature ?? child;
        const optional = child.flags.isOptional ? '?' : '';
        return `<tr><td><code>${escapeHtml(child.name)}${optional}</code></td><td>${this.#inline(`${type ?? child.type}`)}</td><td>${this.#text((comment ?? child.comment)?.summary ?? [])}</td></tr>`;
      });
    const table =
      rows.length > 0 ? `<div class="table" tabindex="0"><table class="members">${rows.join('')}</table></div>` : '';
    const index = (item.indexSignatures ?? []).map((each) =>
      this.#code(`[${each.parameters?.map((p) => `${p.name}: ${p.type}`)}]: ${each.type}`),
    );
    return [
      this.#code(`${word} ${item.name}${parents && ` extends ${parents}`}`),
      this.#words(item.comment),
      ...index,
      table,
      ...calls,
    ].join('');
  }

  /** @param {import('../../api/reference.mjs').Comment | undefined} comment */
  #words(comment) {
    return this.#text(comment?.summary ?? []) + this.#examples(comment);
  }

  /** @param {import('../../api/reference.mjs').Comment | undefined} comment */
  #examples(comment) {
    const examples = comment?.getTags('@example') ?? [];
    return examples
      .map(({ content }) => `<details class="example"><summary>Example</summary>${this.#text(content)}</details>`)
      .join('');
  }

  /** Words of a comment, with links to what they name. @param {Parts} parts */
  #text(parts) {
    const text = parts
      .map((part) => {
        if (part.kind !== 'inline-tag') return part.text;
        const name = typeof part.target === 'object' && 'name' in part.target ? part.target.name : part.text;
        const address = this.#addressOf(name);
        return address ? `[\`${part.text}\`](${address})` : `\`${part.text}\``;
      })
      .join('');
    return text.trim() === '' ? '' : renderComment(text, (href) => href);
  }

  /** @param {string} code */
  #code(code) {
    return `<pre class="signature"><code>${this.#linked(highlighted(code, 'ts'))}</code></pre>\n`;
  }

  /** @param {string} code */
  #inline(code) {
    return `<code>${this.#linked(highlighted(code, 'ts'))}</code>`;
  }

  /** Names of exported types become links. @param {string} html */
  #linked(html) {
    return html.replaceAll(/<[^>]*>|\b[A-Z]\w+\b/g, (found) => {
      const address = found.startsWith('<') ? undefined : this.#addressOf(found);
      return address ? `<a href="${address}">${found}</a>` : found;
    });
  }
}

/** @param {Signature} signature @param {string} head */
function callText(signature, head) {
  const name = head === 'new ' ? signature.parent.parent?.name : signature.name;
  const generics = signature.typeParameters
    ?.map((each) => each.name + (each.type ? ` extends ${each.type}` : ''))
    .join(', ');
  const parameters = (signature.parameters ?? []).map((each) => {
    const optional = each.flags.isOptional || each.defaultValue !== undefined ? '?' : '';
    return `${each.flags.isRest ? '...' : ''}${each.name === '__namedParameters' ? 'options' : each.name}${optional}: ${each.type}`;
  });
  const result = head === 'new ' ? '' : `: ${signature.type}`;
  const start = `${head}${name}${generics ? `<${generics}>` : ''}`;
  const line = `${start}(${parameters.join(', ')})${result}`;
  return line.length <= LINE ? line : `${start}(\n${parameters.map((each) => `  ${each},\n`).join('')})${result}`;
}
