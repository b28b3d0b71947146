// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import com.google.rpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What a server needs to know of a discovery request, read off its bytes: both clients' messages
 * look alike there, though their classes differ.
 *
 * @param names how many resources it subscribes to
 * @param responseNonce which response it answers; empty if none
 * @param error why that response was refused; null if it was not
 */
record Request(int names, String responseNonce, @Nullable String error) {

  static Request scan(Protocol protocol, byte[] serialized) {
    int names = 0;
    String nonce = "";
    String error = null;
    try {
      CodedInputStream in = CodedInputStream.newInstance(serialized);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int field = WireFormat.getTagFieldNumber(tag);
        if (field == protocol.names) {
          names++;
          in.skipField(tag);
        } else if (field == protocol.responseNonce) {
          nonce = in.readString();
        } else if (field == protocol.errorDetail) {
          error = Status.parseFrom(in.readByteArray()).getMessage();
        } else {
          in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Request(names, nonce, error);
  }
}
