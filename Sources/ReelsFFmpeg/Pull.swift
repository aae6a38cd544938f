/// What asking a decoder, filter graph or encoder for output gives.
package enum Pull<Value: ~Copyable>: ~Copyable {
  case value(Value)
  /// Nothing until more is sent.
  case needsInput
  /// Nothing any more.
  case end
}
