"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const map = find("map"), stack = find("stack"), cross = find("cross"), answer = find("answer");
  const kMostRows = 1000;      // of the table at once
  const kDrag = 4;             // pixels that a click may move
  const kLargestCell = 60;     // pixels, when zoomed in
  const kKeyStep = 60;         // pixels
  const kZoom = 1.5;           // of a key or button

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  // ---- values of cells -------------------------------------------------------------------------

  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const sampled = {
    width: Math.ceil(data.width / data.step),
    height: Math.ceil(data.height / data.step),
    at: (x, y) => Math.floor(y / data.step) * sampled.width + Math.floor(x / data.step),
  };

  /** Numbers of four bytes, as bits: first all lowest bytes, and so on. Each is given as what it is
      more than its left and its upper neighbour less the one between these. */
  function unpacked(bytes) {
    const count = bytes.length / 4, width = sampled.width;
    const bits = new Uint32Array(count);
    for (let i = 0; i < count; ++i) {
      const own = bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 |
        bytes[3 * count + i] << 24;
      const inside = i % width > 0;
      const left = inside ? bits[i - 1] : 0, above = i >= width ? bits[i - width] : 0;
      const between = inside && i >= width ? bits[i - width - 1] : 0;
      bits[i] = own + left + above - between;
    }
    return bits;
  }

  let rows = null, distances = null;
  async function readCells() {
    if (data.rows) rows = unpacked(await inflated(data.rows));
    if (data.distances) {
      const bits = unpacked(await inflated(data.distances));
      distances = new Float32Array(bits.buffer);
    }
  }

  // ---- numbers ---------------------------------------------------------------------------------

  const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);

  function lengthText(distance) {
    if (Number.isNaN(distance)) return "no data";
    if (!Number.isFinite(distance)) return "out of reach";
    return withUnit(plain.format(distance * data.unit.factor), data.unit.name);
  }

  function worldText(column, row) {
    if (!data.transform) return "";
    const t = data.transform, c = column + 0.5, r = row + 0.5;
    const digits = data.degrees ? 5 : Math.max(0, 1 - Math.floor(Math.log10(data.cellWidth)));
    const x = (t[0] + c * t[1] + r * t[2]).toFixed(digits);
    const y = (t[3] + c * t[4] + r * t[5]).toFixed(digits);
    return data.degrees ? `longitude ${x}, latitude ${y}` : `x ${x}, y ${y}`;
  }

  // ---- the view: a pixel p of the picture is at place + p · scale -------------------------------

  const picture = data.pixels;
  const view = { x: 0, y: 0, scale: 1, whole: true };  // whole: until someone moves it

  function fitScale() {
    return Math.min(map.clientWidth / picture[0], map.clientHeight / picture[1]);
  }

  function show() {
    const least = fitScale() / 2;
    const most = Math.max(4, least, kLargestCell / (picture[0] / data.width));
    view.scale = Math.min(Math.max(view.scale, least), most);
    // The middle of the window stays on the picture.
    const middle = [map.clientWidth / 2, map.clientHeight / 2];
    view.x = Math.min(Math.max(view.x, middle[0] - picture[0] * view.scale), middle[0]);
    view.y = Math.min(Math.max(view.y, middle[1] - picture[1] * view.scale), middle[1]);
    stack.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    stack.classList.toggle("near", view.scale > 1);
    placeCross();
    showBar();
  }

  function fit() {
    view.whole = true;
    view.scale = fitScale();
    view.x = (map.clientWidth - picture[0] * view.scale) / 2;
    view.y = (map.clientHeight - picture[1] * view.scale) / 2;
    show();
  }

  function zoom(factor, x = map.clientWidth / 2, y = map.clientHeight / 2) {
    const before = view.scale;
    view.whole = false;
    view.scale *= factor;
    const most = Math.max(4, kLargestCell / (picture[0] / data.width));
    view.scale = Math.min(Math.max(view.scale, fitScale() / 2), most);
    view.x = x - (x - view.x) * view.scale / before;
    view.y = y - (y - view.y) * view.scale / before;
    show();
  }

  function move(x, y) {
    view.whole = false;
    view.x += x;
    view.y += y;
    show();
  }

  /** The greatest of 1, 2, 5 times a power of ten that is not above a number. */
  function roundLength(most) {
    const power = 10 ** Math.floor(Math.log10(most));
    return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  }

  function showBar() {
    const perPixel = data.cellWidth * data.width / (picture[0] * view.scale);
    const length = roundLength(140 * perPixel);
    find("bar-line").style.width = `${length / perPixel}px`;
    const large = data.lengthUnit === "m" && length >= 1000;
    const text = withUnit(plain.format(large ? length / 1000 : length),
                          large ? "km" : data.lengthUnit);
    find("bar-text").textContent = data.note ? `${text} ${data.note}` : text;
  }

  // ---- one cell --------------------------------------------------------------------------------

  let chosenCell = null, chosenRow = null;

  function placeCross() {
    cross.hidden = chosenCell === null;
    if (chosenCell === null) return;
    const at = (cell, cells, pixels, start) => start + (cell + 0.5) / cells * pixels * view.scale;
    cross.style.left = `${at(chosenCell[0], data.width, picture[0], view.x)}px`;
    cross.style.top = `${at(chosenCell[1], data.height, picture[1], view.y)}px`;
  }

  function tell(column, row) {
    chosenCell = [column, row];
    const i = sampled.at(column, row);
    const number = rows ? rows[i] : 0;
    const site = number > 0 ? data.sites[number - 1] : null;
    answer.replaceChildren();
    if (site) {
      const swatch = element("span", { className: "swatch" });
      swatch.style.background = site.colour;
      answer.append(swatch, element("strong", { textContent: site.name }));
      if (site.name !== site.label) answer.append(` (label ${site.label})`);
    } else if (rows) {
      answer.append("No site");
    }
    if (distances) {
      if (answer.childNodes.length > 0) answer.append(", ");
      answer.append("distance ", element("strong", { textContent: lengthText(distances[i]) }));
    }
    const where = [`column ${column}, row ${row}`, worldText(column, row)].filter(Boolean);
    answer.append(element("br"), element("span", {
      className: "quiet", textContent: where.join("; ") }));
    answer.dataset.label = site ? site.label : "";
    answer.dataset.distance = distances ? String(distances[i]) : "";
    choose(number > 0 ? number - 1 : null);
    placeCross();
  }

  function tellAt(x, y) {
    const column = Math.floor((x - view.x) / view.scale / picture[0] * data.width);
    const row = Math.floor((y - view.y) / view.scale / picture[1] * data.height);
    if (column < 0 || row < 0 || column >= data.width || row >= data.height) return;
    tell(column, row);
  }

  /** Scrolls the table, and not the page. */
  function bringIntoFrame(line) {
    const frame = find("table-frame"), head = find("sites").tHead.offsetHeight;
    const top = line.offsetTop - head, bottom = line.offsetTop + line.offsetHeight;
    if (frame.scrollTop > top) frame.scrollTop = top;
    if (frame.scrollTop + frame.clientHeight < bottom) frame.scrollTop = bottom - frame.clientHeight;
  }

  /** Darkens all cells but those of the chosen site. */
  function choose(site) {
    if (site === chosenRow) return;
    chosenRow = site;
    find("chosen").hidden = site === null;
    for (const line of find("sites").tBodies[0].rows) {
      const is = Number(line.dataset.site) === site;
      line.classList.toggle("chosen", is);
      line.setAttribute("aria-selected", String(is));
      if (is) bringIntoFrame(line);
    }
    if (site === null || !rows) return;
    const canvas = find("chosen");
    canvas.width = sampled.width;
    canvas.height = sampled.height;
    const context = canvas.getContext("2d");
    const image = context.createImageData(sampled.width, sampled.height);
    for (let i = 0; i < rows.length; ++i) image.data[4 * i + 3] = rows[i] === site + 1 ? 0 : 90;
    context.putImageData(image, 0, 0);
  }

  // ---- mouse, fingers, keys --------------------------------------------------------------------

  const pointers = new Map();
  let dragged = false;

  const placeOf = (event) => {
    const box = map.getBoundingClientRect();
    return [event.clientX - box.left - map.clientLeft, event.clientY - box.top - map.clientTop];
  };

  map.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#buttons")) return;
    if (pointers.size === 0) dragged = false;
    pointers.set(event.pointerId, placeOf(event));
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event);
    if (pointers.size === 1) {
      if (!dragged && Math.hypot(now[0] - before[0], now[1] - before[1]) < kDrag) return;
      dragged = true;
      map.classList.add("moving");
      move(now[0] - before[0], now[1] - before[1]);
    } else if (pointers.size === 2) {
      dragged = true;
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at) => Math.max(1, Math.hypot(at[0] - other[0], at[1] - other[1]));
      zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    pointers.set(event.pointerId, now);
  });
  for (const kind of ["pointerup", "pointercancel"])
    map.addEventListener(kind, (event) => {
      if (!pointers.delete(event.pointerId)) return;
      map.classList.remove("moving");
      if (kind === "pointerup" && !dragged && pointers.size === 0) tellAt(...placeOf(event));
    });
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    zoom(Math.exp(-event.deltaY * lines / 400), ...placeOf(event));
  }, { passive: false });

  map.addEventListener("keydown", (event) => {
    if (event.target !== map || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => move(kKeyStep, 0),
      ArrowRight: () => move(-kKeyStep, 0),
      ArrowUp: () => move(0, kKeyStep),
      ArrowDown: () => move(0, -kKeyStep),
      "+": () => zoom(kZoom),
      "=": () => zoom(kZoom),
      "-": () => zoom(1 / kZoom),
      0: fit,
      Enter: () => tellAt(map.clientWidth / 2, map.clientHeight / 2),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  find("zoom-in").addEventListener("click", () => zoom(kZoom));
  find("zoom-out").addEventListener("click", () => zoom(1 / kZoom));
  find("fit").addEventListener("click", fit);
  new ResizeObserver(() => (view.whole ? fit() : show())).observe(map);

  // ---- layers ----------------------------------------------------------------------------------

  function addLayer(layer) {
    const image = element("img", { src: layer.image, alt: "", draggable: false });
    image.hidden = !layer.on;
    image.dataset.layer = layer.name;
    stack.append(image);
    const box = element("input", { type: "checkbox", checked: layer.on, name: layer.name });
    const label = element("label", {}, box, layer.title);
    box.addEventListener("change", () => {
      image.hidden = !box.checked;
      find("ramp").hidden = !data.ramp || !isOn("distance");
    });
    if (layer.fades) {
      const opacity = element("input", {
        type: "range", min: 0, max: 100, value: 100 * layer.opacity });
      opacity.setAttribute("aria-label", `Opacity of ${layer.title.toLowerCase()}`);
      const fade = () => { image.style.opacity = opacity.value / 100; };
      opacity.addEventListener("input", fade);
      fade();
      label.append(opacity);
    }
    find("layers").append(label);
  }

  const isOn = (name) => {
    const box = find("layers").querySelector(`input[name="${name}"]`);
    return box !== null && box.checked;
  };

  function addRamp() {
    if (!data.ramp) return;
    find("ramp").hidden = !isOn("distance");
    find("ramp-title").textContent = data.rampTitle;
    find("ramp-bar").style.background = `linear-gradient(to right, ${data.ramp.colours.join(", ")})`;
    find("ramp-least").textContent = plain.format(data.ramp.range[0] * data.unit.factor);
    find("ramp-greatest").textContent = plain.format(data.ramp.range[1] * data.unit.factor);
  }

  // ---- the table of sites ----------------------------------------------------------------------

  const numeric = (text) => (Number(text) === Number(text) ? Number(text) : Infinity);
  const columns = [
    { title: "Site", value: (site) => site.name, text: (site) => site.name, swatch: true },
    { title: "Label", value: (site) => numeric(site.label), text: (site) => site.label, number: true,
      shown: data.sites.some((site) => site.name !== site.label) },
    { title: "Cells", value: (site) => site.cells, text: (site) => whole.format(site.cells),
      number: true },
    { title: `Area (${data.areaUnit.name})`, value: (site) => site.cells,
      text: (site) => plain.format(site.cells * data.cellArea * data.areaUnit.factor),
      number: true, shown: data.cellArea !== null },
    { title: data.unit.name ? `Farthest (${data.unit.name})` : "Farthest",
      value: (site) => (site.farthest === null ? -Infinity : site.farthest),
      text: (site) => (site.farthest === null ? "" : plain.format(site.farthest * data.unit.factor)),
      number: true, shown: Boolean(data.distances) },
  ].filter((column) => column.shown !== false);
  const order = { column: null, up: true };
  const names = new Intl.Collator(undefined, { numeric: true });

  function sortedSites() {
    const wanted = find("filter").value.trim().toLowerCase();
    const list = data.sites.map((_, i) => i).filter((i) => !wanted ||
      data.sites[i].name.toLowerCase().includes(wanted) || data.sites[i].label === wanted);
    if (!order.column) return list;
    const value = order.column.value, sign = order.up ? 1 : -1;
    return list.sort((i, k) => {
      const a = value(data.sites[i]), b = value(data.sites[k]);
      return sign * (order.column.number ? (a > b) - (a < b) : names.compare(a, b)) || i - k;
    });
  }

  function fillTable() {
    const list = sortedSites();
    const body = find("sites").tBodies[0];
    body.replaceChildren(...list.slice(0, kMostRows).map((i) => {
      const site = data.sites[i];
      const line = element("tr", { tabIndex: 0 });
      line.dataset.site = i;
      line.classList.toggle("chosen", i === chosenRow);
      line.setAttribute("aria-selected", String(i === chosenRow));
      for (const column of columns) {
        const cell = element("td", { className: column.number ? "number" : "" });
        if (column.swatch) {
          const swatch = element("span", { className: "swatch" });
          swatch.style.background = site.colour;
          cell.append(swatch);
        }
        cell.append(column.text(site));
        line.append(cell);
      }
      line.addEventListener("click", () => goTo(i));
      line.addEventListener("keydown", (event) => { if (event.key === "Enter") goTo(i); });
      return line;
    }));
    const shown = Math.min(list.length, kMostRows);
    find("shown").textContent = shown < data.sites.length
      ? `${whole.format(shown)} of ${whole.format(data.sites.length)} sites` : "";
  }

  function goTo(i) {
    const site = data.sites[i];
    const x = site.x / data.width * picture[0] * view.scale;
    const y = site.y / data.height * picture[1] * view.scale;
    const isSeen = (at, size) => at > size / 10 && at < size * 9 / 10;
    if (!isSeen(view.x + x, map.clientWidth) || !isSeen(view.y + y, map.clientHeight)) {
      view.whole = false;
      view.x = map.clientWidth / 2 - x;
      view.y = map.clientHeight / 2 - y;
      show();
    }
    tell(Math.floor(site.x), Math.floor(site.y));
  }

  function addTable() {
    if (data.sites.length === 0) return;
    find("table-side").hidden = false;
    const head = find("sites").tHead.rows[0];
    for (const column of columns) {
      const button = element("button", { type: "button", textContent: column.title });
      const cell = element("th", { scope: "col", className: column.number ? "number" : "" }, button);
      button.addEventListener("click", () => {
        order.up = order.column === column ? !order.up : !column.number;
        order.column = column;
        for (const other of head.cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", order.up ? "ascending" : "descending");
        fillTable();
      });
      head.append(cell);
    }
    find("filter").addEventListener("input", fillTable);
    fillTable();
  }

  // ---- all of it -------------------------------------------------------------------------------

  function summary() {
    const parts = [`${whole.format(data.width)} × ${whole.format(data.height)} cells`];
    if (data.sites.length > 0) parts.push(`${whole.format(data.sites.length)} sites`);
    if (data.step > 1) parts.push(`a click tells values of every ${data.step}th cell along both axes`);
    return parts.join(", ");
  }

  stack.style.width = `${picture[0]}px`;
  stack.style.height = `${picture[1]}px`;
  find("summary").textContent = summary();
  data.layers.forEach(addLayer);
  const chosen = element("canvas", { id: "chosen" });
  chosen.hidden = true;
  stack.append(chosen);
  addRamp();
  addTable();
  fit();
  readCells().then(
    () => { document.body.dataset.ready = "true"; },
    () => { answer.textContent = "This browser cannot unpack the values of the cells."; });
})();
