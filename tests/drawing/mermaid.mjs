// Parse each file named with Mermaid itself; run where `npm install mermaid jsdom` was done.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.argv[2], "package.json"));
const { JSDOM } = require("jsdom");
globalThis.window = new JSDOM("").window;
globalThis.document = globalThis.window.document;
const folder = path.dirname(require.resolve("mermaid/package.json"));
const { default: mermaid } = await import(pathToFileURL(path.join(folder, "dist", "mermaid.core.mjs")));
mermaid.initialize({ maxTextSize: 1e7, maxEdges: 1e5 });
for (const file of process.argv.slice(3)) {
  const found = await mermaid.parse(fs.readFileSync(file, "utf8"));
  if (found.diagramType !== "flowchart-v2") throw new Error(`${file}: ${found.diagramType}`);
}
console.log(`${process.argv.length - 3} accepted`);
