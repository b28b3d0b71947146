// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Message;
import dev.holdfast.xds.client.Resource;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.List;

/** How {@code xds watch} shows what it sees. Called by one thread at a time. */
interface WatchOutput {
  void resourceChanged(ResourceKey key, StatusOr<Resource<Message>> resource);

  void ambientError(ResourceKey key, Status status);

  void dump(List<Entry> entries);
}
