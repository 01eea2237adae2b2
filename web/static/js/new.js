// A ruleset brings its own variants: tick them, and let people change single ones.
const ruleset = document.getElementById("ruleset");
ruleset.addEventListener("change", () => {
  const defaults = ruleset.selectedOptions[0].dataset.defaults.split(" ");
  for (const box of document.querySelectorAll('input[name="option"]')) box.checked = defaults.includes(box.value);
});
