/// The built-in presets, embedded in the binary.
package enum EmbeddedPresets {}
