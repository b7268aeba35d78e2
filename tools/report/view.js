// The view that turns: spheres as squares that face the eye, on each of which a ray is cut with its sphere.
"use strict";
(() => {
  const box = document.getElementById("view");
  const canvas = box.querySelector("canvas");
  const data = JSON.parse(document.getElementById("view-data").textContent);
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const context = canvas.getContext("webgl2", { antialias: true });
  if (!context || data.count === 0) return;  // the still picture stays

  const balls = new Float32Array(bytes(data.balls).buffer);  // x, y, z, radius: in a cube from -1 to 1
  const ids = new Float64Array(bytes(data.ids).buffer);
  const layers = bytes(data.layer);
  const ramp = bytes(data.ramp);
  const shades = data.shades.map((shade) => ({ ...shade, bytes: bytes(shade.bytes) }));
  const whileTurning = 50000;  // so many of them, the largest, are drawn while the view moves

  box.hidden = false;
  document.documentElement.classList.add("turns");
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.setClearColor(0x0d1014);
  const camera = new THREE.PerspectiveCamera(35, 1, 1, 2);  // its near and far planes are not used
  const eye = { target: new THREE.Vector3(), turn: new THREE.Quaternion(), distance: 4 };
  const nearest = 1e-6, farthest = 1e3;

  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute("ball", new THREE.InstancedBufferAttribute(balls, 4));
  const colors = new THREE.InstancedBufferAttribute(new Uint8Array(3 * data.count), 3, true);
  geometry.setAttribute("tint", colors);
  const material = new THREE.ShaderMaterial({
    extensions: { fragDepth: true },
    uniforms: { pixel: { value: 0.001 }, depths: { value: new THREE.Vector2(nearest, Math.log2(farthest / nearest)) } },
    vertexShader: `
      attribute vec4 ball;
      attribute vec3 tint;
      uniform float pixel;
      varying vec3 place, center, color;
      varying float radius;
      void main() {
        center = (modelViewMatrix * vec4(ball.xyz, 1.0)).xyz;
        float d = length(center);
        radius = max(ball.w, 0.8 * pixel * d);  // no sphere is smaller than a pixel and a half
        color = tint;
        if (d <= radius * 1.001) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }  // the eye is inside
        vec3 ahead = center / d;
        vec3 right = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        vec3 up = cross(right, ahead);
        float reach = radius * d / sqrt((d - radius) * (d + radius));  // of the cone of sight, at the center
        place = center + reach * (position.x * right + position.y * up);
        gl_Position = projectionMatrix * vec4(place, 1.0);
        gl_Position.z = 0.0;  // no near and no far plane: the depth is written below
      }`,
    fragmentShader: `
      uniform vec2 depths;
      varying vec3 place, center, color;
      varying float radius;
      void main() {
        vec3 ray = normalize(place);
        float along = dot(ray, center);
        vec3 foot = center - along * ray;
        float inside = radius * radius - dot(foot, foot);
        if (inside < 0.0) discard;
        float t = along - sqrt(inside);
        vec3 normal = (t * ray - center) / radius;
        float light = 0.35 + 0.65 * max(0.0, dot(normal, normalize(vec3(0.35, 0.5, 1.0))));
        gl_FragColor = vec4(color * light, 1.0);
        gl_FragDepthEXT = clamp(log2(max(t, depths.x) / depths.x) / depths.y, 0.0, 1.0);
      }`,
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  const scene = new THREE.Scene();
  scene.add(mesh);

  let waits = false, settle = 0, spins = false;
  function draw() {
    waits = false;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    camera.quaternion.copy(eye.turn);
    camera.position.set(0, 0, eye.distance).applyQuaternion(eye.turn).add(eye.target);
    material.uniforms.pixel.value = 2 * Math.tan(camera.fov * Math.PI / 360) / height;
    const count = settle > 0 ? Math.min(whileTurning, data.count) : data.count;
    geometry.maxInstancedCount = geometry.instanceCount = count;  // the name before and since three.js 117
    renderer.render(scene, camera);
    if (spins) turn(0.006, 0);
  }
  function redraw() {
    if (!waits) requestAnimationFrame(draw);
    waits = true;
  }
  /// Draws fewer spheres until nothing has moved for a while.
  function moved() {
    clearTimeout(settle);
    settle = setTimeout(() => { settle = 0; redraw(); }, 150);
    redraw();
  }
  function turn(across, up) {
    const axes = [[new THREE.Vector3(0, 1, 0), -across], [new THREE.Vector3(1, 0, 0), -up]];
    for (const [axis, angle] of axes) eye.turn.multiply(new THREE.Quaternion().setFromAxisAngle(axis, angle));
    eye.turn.normalize();
    moved();
  }
  function zoom(factor) {
    eye.distance = Math.min(20, Math.max(1e-4, eye.distance * factor));
    moved();
  }
  function reset() {
    eye.target.set(0, 0, 0);
    eye.turn.setFromEuler(new THREE.Euler(1.05, 0, 0.5, "ZXY"));  // z is up
    eye.distance = 2.6 * Math.hypot(...data.size) / data.half / 2;
    moved();
  }

  /// The first sphere on the ray through a point of the canvas; -1: none.
  function pick(event) {
    const frame = canvas.getBoundingClientRect();
    const ray = new THREE.Vector3((event.clientX - frame.left) / frame.width * 2 - 1,
                                  1 - (event.clientY - frame.top) / frame.height * 2, 0.5)
      .unproject(camera).sub(camera.position).normalize();
    const { x, y, z } = camera.position;
    const atLeast = 2 * material.uniforms.pixel.value;
    let first = -1, nearestHit = Infinity;
    for (let i = 0; i < data.count; ++i) {
      const dx = balls[4 * i] - x, dy = balls[4 * i + 1] - y, dz = balls[4 * i + 2] - z;
      const along = dx * ray.x + dy * ray.y + dz * ray.z;
      const radius = Math.max(balls[4 * i + 3], atLeast * along);
      const inside = radius * radius - (dx * dx + dy * dy + dz * dz - along * along);
      if (inside < 0 || along < 0) continue;
      const t = along - Math.sqrt(inside);
      if (t > 0 && t < nearestHit) { nearestHit = t; first = i; }
    }
    return first;
  }
  const number = (value) => Number(value.toPrecision(6)).toString();
  const shadeText = (shade, byte) => {
    const value = shadeValue(shade, byte / 254);  // a byte stands for a range, but of few whole numbers for one
    return shade.whole && shade.greatest < 100 ? Math.round(value) : `about ${number(value)}`;
  };
  function tell(i) {
    const parts = [`sphere ${ids[i]}`];
    if (data.names[i]) parts.push(data.names[i]);
    if (data.layers.length > 1) parts.push(`layer ${data.layers[layers[i]].name}`);
    const place = [0, 1, 2].map((k) => number(data.center[k] + balls[4 * i + k] * data.half));
    parts.push(`center ${place.join(", ")}`, `radius ${number(balls[4 * i + 3] * data.half)} ${data.unit}`);
    for (const shade of shades)
      if (shade.bytes[i] < 255) parts.push(`${shade.label}: ${shadeText(shade, shade.bytes[i])}`);
    document.getElementById("picked").textContent = parts.join("; ");
  }
  /// The scale of histogram.hpp: if logarithmic, even between two powers of 2.
  function shadeValue(shade, share) {
    const mix = (a, b) => a * (1 - share) + b * share;
    if (!shade.log) return mix(shade.least, shade.greatest);
    const log = (value) => { const e = Math.floor(Math.log2(value)); return e + value / 2 ** e - 1; };
    const at = mix(log(shade.least), log(shade.greatest));
    return (1 + at - Math.floor(at)) * 2 ** Math.floor(at);
  }

  const select = document.getElementById("shade");
  ["by layer", ...shades.map((shade) => shade.label)].forEach((label, i) => select.add(new Option(label, i)));
  function legend() {
    const place = document.getElementById("legend");
    place.textContent = "";
    if (select.value === "0") {
      for (const layer of data.layers.slice(0, data.layers.length > 1 ? 12 : 0)) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.background = `rgb(${layer.color})`;
        place.append(swatch, layer.name);
      }
      return;
    }
    const shade = shades[select.value - 1];
    const bar = document.createElement("canvas");
    bar.width = 255;
    bar.height = 1;
    const pen = bar.getContext("2d");
    for (let i = 0; i < 255; ++i) {
      pen.fillStyle = `rgb(${ramp.slice(3 * i, 3 * i + 3)})`;
      pen.fillRect(i, 0, 1, 1);
    }
    place.append(number(shade.least), bar, number(shade.greatest) + (shade.log ? " (log)" : ""));
  }
  function paint() {
    const shade = shades[select.value - 1];
    for (let i = 0; i < data.count; ++i) {
      const color = shade ? ramp.subarray(3 * shade.bytes[i], 3 * shade.bytes[i] + 3) : data.layers[layers[i]].color;
      colors.array.set(color, 3 * i);
    }
    colors.needsUpdate = true;
    legend();
    moved();
  }

  const pointers = new Map();
  let travelled = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    if (pointers.size === 1) travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
    travelled += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 1) {
      turn(dx * 0.008, dy * 0.008);
    } else {
      const other = [...pointers.values()].find((p) => p.pointerId !== event.pointerId);
      const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
      zoom(Math.max(1, apart(last)) / Math.max(1, apart(event)));
    }
    pointers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("click", (event) => {
    const i = travelled < 5 ? pick(event) : -1;
    if (i >= 0) tell(i);
  });
  canvas.addEventListener("dblclick", (event) => {
    const i = pick(event);
    if (i < 0) return;
    eye.target.set(balls[4 * i], balls[4 * i + 1], balls[4 * i + 2]);
    zoom(0.5);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.sign(event.deltaY) * 0.12));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 0.1;
    const keys = {
      ArrowLeft: () => turn(-step, 0), ArrowRight: () => turn(step, 0), ArrowUp: () => turn(0, -step),
      ArrowDown: () => turn(0, step), "+": () => zoom(0.9), "-": () => zoom(1.1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.getElementById("spin").addEventListener("click", () => {
    spins = !spins;
    redraw();
  });
  document.getElementById("reset").addEventListener("click", reset);
  select.addEventListener("change", paint);
  window.addEventListener("resize", redraw);
  reset();
  paint();
})();
